import type { PostAdmin } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import {
  brokenLinks,
  brokenPlayers,
  docOf,
  emptyDoc,
  isSameDoc,
  picturesWithoutAlt,
  type Doc,
} from '../richText/document';

/** A post in one language. */
export interface PostText {
  title: string;
  doc: Doc;
}

/** The values of a post that are saved one by one: each language's text, and the level of who may read it. */
export type PostParts = Record<Language, PostText> & { level: number };

/** A post's text in a language; empty if it has none. */
export function textOf(post: PostAdmin, language: Language): PostText {
  const found = post.texts[language];
  return found ? { title: found.title, doc: docOf(found.json) } : { title: '', doc: emptyDoc };
}

/** The parts of a post, from the server's response. */
export function partsOf(post: PostAdmin): PostParts {
  const texts = Object.fromEntries(languages.map((language) => [language, textOf(post, language)]));
  return { ...(texts as Record<Language, PostText>), level: post.meta.level };
}

/** Whether two values of a part have the same content. Levels always count as equal: the last choice wins, unasked. */
export function isSame(one: PostText | number, other: PostText | number): boolean {
  if (typeof one === 'number' || typeof other === 'number') return true;
  return one.title === other.title && isSameDoc(one.doc, other.doc);
}

/** Whether there is neither a title nor a text. */
export const isEmptyText = ({ title, doc }: PostText) => title.trim() === '' && doc.content.length === 0;

/** The language to start with: the wanted one if it has a text, else the first that has one, else the wanted one. */
export function firstLanguage(parts: PostParts, wanted: Language): Language {
  const written = languages.filter((language) => !isEmptyText(parts[language]));
  return written.includes(wanted) ? wanted : (written[0] ?? wanted);
}

/** What the creator should check before publishing. */
export interface PostChecks {
  /** In how many languages the post has a title. */
  titles: number;
  hasAllAlts: boolean;
  hasGoodLinks: boolean;
  /** Each video and audio player has an address that the page can embed. */
  hasPlayers: boolean;
}

/** Checks all languages of a post. */
export function checksOf(parts: PostParts): PostChecks {
  const texts = languages.map((language) => parts[language]);
  return {
    titles: texts.filter(({ title }) => title.trim() !== '').length,
    hasAllAlts: texts.every(({ doc }) => picturesWithoutAlt(doc) === 0),
    hasGoodLinks: texts.every(({ doc }) => brokenLinks(doc) === 0),
    hasPlayers: texts.every(({ doc }) => brokenPlayers(doc) === 0),
  };
}

/** Whether a post has a title and a text in its main language, without which it cannot be published. */
export function isComplete(parts: PostParts, language: string): boolean {
  const own = languages.find((one) => one === language);
  return own !== undefined && parts[own].title.trim() !== '' && parts[own].doc.content.length > 0;
}

/** How many emails publishing would send: none if they were sent before, or if the post is published already. */
export function lettersToSend({ letters, status }: PostAdmin): number {
  return letters.sent_at || status === 'published' ? 0 : letters.total;
}
