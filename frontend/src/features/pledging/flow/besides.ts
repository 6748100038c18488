import { logQuietly } from '../../../api/apiError';
import { askedMost, pauseAfter } from '../../../ui/useAskingAgain';

/** When it is asked first, in milliseconds: most calls have been answered by then. */
const first = 20_000;

/**
 * Asks while something else is waited for: after a while, then after the pauses of what is unknown, as long as the page
 * is shown. Without a connection nothing is asked. Returns what ends it.
 */
export function besides(ask: () => Promise<void>, isShown: () => boolean): () => void {
  let asked = 0;
  let isOver = false;
  let timer = setTimeout(turn, first);
  function turn() {
    if (!isShown()) return;
    void (navigator.onLine ? ask() : Promise.resolve())
      .catch((error: unknown) => logQuietly('beside', error))
      .finally(() => {
        asked += 1;
        if (!isOver && asked < askedMost) timer = setTimeout(turn, pauseAfter(asked));
      });
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
