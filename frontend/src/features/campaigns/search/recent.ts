import { deviceStorage } from '../../../api/deviceStorage';

/** What was searched for last, on this device alone. */
const key = 'talkoot.searches';
const kept = 5;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The latest searches, the last one first; none where the browser keeps nothing. */
export const recentSearches = (): string[] => (deviceStorage.json(key, isTexts) ?? []).slice(0, kept);

/** Adds a search to them. */
export function rememberSearch(q: string): void {
  deviceStorage.setJson(key, [q, ...recentSearches().filter((one) => one !== q)].slice(0, kept));
}

let typedSoFar = '';

/** What was typed on this visit without searching for it, so that a search that was closed goes on where it was. */
export const keptTyping = (): string => typedSoFar;

/** Keeps it; of what has been searched for, nothing. */
export function keepTyping(text: string): void {
  typedSoFar = text;
}

/** Forgets them all. */
export function forgetSearches(): void {
  deviceStorage.remove(key);
}
