import type { CategoryAdmin, Labels, TagAdmin } from '../../../api/staff';
import { languages, type Language } from '../../../domain/languages';

/** A category or tag, as the lists and dialogs of names need it. */
export interface Labelled {
  id: number;
  labels: Labels;
  version: number;
  campaigns: number;
  experiments: number;
  people: number;
}

/** A category; only campaigns have those. */
export const ofCategory = ({ category_id, ...rest }: CategoryAdmin): Labelled => ({
  id: category_id,
  experiments: 0,
  people: 0,
  ...rest,
});
/** A tag. */
export const ofTag = ({ tag_id, ...rest }: TagAdmin): Labelled => ({ id: tag_id, ...rest });

/** What readers of a language see: their own name, else any. */
export const nameIn = (language: Language, labels: Labels) =>
  labels[language] ?? [...languages].map((one) => labels[one]).find(Boolean) ?? '';

/** What a list that has been read again says of one; as it was, once it is gone from there. */
export const latest = <One extends { id: number }>(list: readonly One[], one: One | undefined) =>
  list.find(({ id }) => id === one?.id) ?? one;

/** A list in an order of ids; what it has besides comes last. */
export function arranged(list: readonly Labelled[], order: readonly number[]): Labelled[] {
  const placeOf = ({ id }: Labelled) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...list].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Whether two orders agree about what is in both. */
export function isSameOrder(a: readonly number[], b: readonly number[]): boolean {
  const inBoth = a.filter((id) => b.includes(id));
  return b.filter((id) => a.includes(id)).every((id, place) => id === inBoth[place]);
}

/** Those whose name in some language has the keyword, by the name in the reader's language. */
export function found(list: readonly Labelled[], language: Language, keyword: string): Labelled[] {
  const wanted = keyword.toLocaleLowerCase(language);
  return list
    .filter(({ labels }) =>
      Object.values(labels).some((label) => label.toLocaleLowerCase(language).includes(wanted)),
    )
    .sort((a, b) => nameIn(language, a.labels).localeCompare(nameIn(language, b.labels), language));
}
