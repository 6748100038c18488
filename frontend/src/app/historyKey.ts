/**
 * Gives the history entry of a full page load its own key. React Router uses the key "default" for all of them, and
 * would scroll one page to where another was left, even if its address has a hash.
 */
export function ensureHistoryKey(
  history: History,
  newKey: () => string = () => Math.random().toString(36).slice(2, 10),
): void {
  const state = history.state as { key?: string } | null;
  if (state?.key) return; // Reloaded or returned to: the scroll position stored under its key is restored.
  history.replaceState({ ...state, key: newKey() }, '');
}
