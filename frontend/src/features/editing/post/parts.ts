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

/** What of a post is saved by itself: each language's text, and who may read it. */
export type PostParts = Record<Language, PostText> & { level: number };

/** The text that a post has in a language; empty without one. */
export function textOf(post: PostAdmin, language: Language): PostText {
  const found = post.texts[language];
  return found ? { title: found.title, doc: docOf(found.json) } : { title: '', doc: emptyDoc };
}

/** A post as the server has it. */
export function partsOf(post: PostAdmin): PostParts {
  const texts = Object.fromEntries(languages.map((language) => [language, textOf(post, language)]));
  return { ...(texts as Record<Language, PostText>), level: post.meta.level };
}

/** Whether two values of a part say the same. Of who may read it nobody is asked: the last choice stays. */
export function isSame(one: PostText | number, other: PostText | number): boolean {
  if (typeof one === 'number' || typeof other === 'number') return true;
  return one.title === other.title && isSameDoc(one.doc, other.doc);
}

export const isEmptyText = ({ title, doc }: PostText) => title.trim() === '' && doc.content.length === 0;

/** The language to begin with: the one asked for, if there is a text or none at all; else the one that has one. */
export function firstLanguage(parts: PostParts, wanted: Language): Language {
  const written = languages.filter((language) => !isEmptyText(parts[language]));
  return written.includes(wanted) ? wanted : (written[0] ?? wanted);
}

/** What is looked at before a post leaves. */
export interface PostChecks {
  /** In how many languages it has a title, of all. */
  titles: number;
  hasAllAlts: boolean;
  hasGoodLinks: boolean;
  /** Each video and sound has an address that the page plays. */
  hasPlayers: boolean;
}

export function checksOf(parts: PostParts): PostChecks {
  const texts = languages.map((language) => parts[language]);
  return {
    titles: texts.filter(({ title }) => title.trim() !== '').length,
    hasAllAlts: texts.every(({ doc }) => picturesWithoutAlt(doc) === 0),
    hasGoodLinks: texts.every(({ doc }) => brokenLinks(doc) === 0),
    hasPlayers: texts.every(({ doc }) => brokenPlayers(doc) === 0),
  };
}

/** A title and some text in the language that the post was begun in: without it nothing can leave. */
export function isComplete(parts: PostParts, language: string): boolean {
  const own = languages.find((one) => one === language);
  return own !== undefined && parts[own].title.trim() !== '' && parts[own].doc.content.length > 0;
}

/** How many letters leave when it is published: none when they have left before, and none for a post already out. */
export function lettersToSend({ letters, status }: PostAdmin): number {
  return letters.sent_at || status === 'published' ? 0 : letters.total;
}
