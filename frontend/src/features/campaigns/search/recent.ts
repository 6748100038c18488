/** What was searched for last, on this device alone. */
const key = 'talkoot.searches';
const kept = 5;

/** The latest searches, the last one first; none where the browser keeps nothing. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((one): one is string => typeof one === 'string').slice(0, kept)
      : [];
  } catch {
    return [];
  }
}

/** Adds a search to them. */
export function rememberSearch(q: string): void {
  write([q, ...recentSearches().filter((one) => one !== q)].slice(0, kept));
}

/** Forgets them all. */
export function forgetSearches(): void {
  write([]);
}

function write(searches: readonly string[]): void {
  try {
    if (searches.length > 0) window.localStorage.setItem(key, JSON.stringify(searches));
    else window.localStorage.removeItem(key);
  } catch {
    // Without storage nothing is remembered.
  }
}
