import type { PostAdmin } from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { isSameDoc } from '../richText/document';
import { textOf, type PostParts } from './parts';

/**
 * In which languages two people have written different things: mine differs from theirs, and theirs is not what I began
 * with. Without what I began with (it was written before a reload), every difference is one.
 */
export function conflictsOf(
  mine: Readonly<Partial<PostParts>>,
  theirs: PostAdmin,
  begun: PostAdmin | undefined,
): Language[] {
  const languages = Object.keys(mine).filter((part): part is Language => part !== 'level');
  return languages.filter((language) => {
    const [own, other] = [mine[language], textOf(theirs, language)];
    const isSame = (one: typeof own) => one?.title === other.title && isSameDoc(one.doc, other.doc);
    return !isSame(own) && !(begun && isSame(textOf(begun, language)));
  });
}
