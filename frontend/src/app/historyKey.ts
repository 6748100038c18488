/**
 * Gives the entry of a page that was loaded whole a key of its own. Without one the router calls all of them "default", and
 * scrolls each to where another was left, past the part that its address names too.
 */
export function ensureHistoryKey(
  history: History,
  newKey: () => string = () => Math.random().toString(36).slice(2, 10),
): void {
  const state = history.state as { key?: string } | null;
  if (state?.key) return; // Loaded again, or come back to: it opens where it was left.
  history.replaceState({ ...state, key: newKey() }, '');
}
