import type { HistoryAnswer, HistoryField } from '../../api/editing';

const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && JSON.stringify(value) === '{"type":"doc","content":[]}');

/** Whether a change of a field says anything: not if it was empty before and after, or the same. */
export function says({ before, after, long }: HistoryField): boolean {
  // Which value was before is not read yet, or neither is for showing.
  if (long || (before === undefined && after === undefined)) return true;
  if (isNothing(before) && isNothing(after)) return false;
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** A history without the changes in which nothing was changed that can be told. */
export function withWords<History extends { data?: HistoryAnswer }>(history: History): History {
  const { data } = history;
  if (!data) return history;
  const changes = data.changes.filter(({ fields }) => fields.length === 0 || fields.some(says));
  return { ...history, data: { ...data, changes } };
}
