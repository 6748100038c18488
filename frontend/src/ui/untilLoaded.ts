/** What the app waits for: a page on its way, a part that would open over it, or one that has a place in it. */
export type WaitingFor = 'page' | 'part' | 'place';

/** A piece of the app that did not come. It is asked for again until it is there. */
export interface Trouble {
  of: WaitingFor;
  /** The piece itself, as whoever waits for it knows it. */
  piece: unknown;
  failures: number;
  /** Asks now and not after the pause. */
  retry: () => void;
}

/** A failure of the connection or of a deploy in between; anything else is a mistake that another try only repeats. */
export function notLoaded(message: string): Error {
  return Object.assign(new Error(message), { name: 'ChunkLoadError' });
}

// The bundler's names: of its scripts, and of the stylesheets that come with them.
function isNotLoaded(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'))
  );
}

// Milliseconds; the last one is repeated.
const pauses = [1_000, 2_000, 5_000, 10_000, 20_000];

/** Acts after a pause that grows with the failures, or as soon as the browser is online again. Gives the way to act now. */
export function actLater(failures: number, act: () => void): { now: () => void; cancel: () => void } {
  const cancel = () => {
    clearTimeout(timer);
    window.removeEventListener('online', now);
  };
  const now = () => {
    cancel();
    act();
  };
  const timer = setTimeout(now, pauses[Math.min(failures, pauses.length) - 1]);
  window.addEventListener('online', now);
  return { now, cancel };
}

let troubles: readonly Trouble[] = [];
const listeners = new Set<() => void>();

function setTroubles(next: readonly Trouble[]) {
  troubles = next;
  for (const listener of listeners) listener();
}

/** Everything that is being waited for in vain, for `useSyncExternalStore`. */
export const troubleStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  get: () => troubles,
};

/** Reports a failing load, replacing its earlier report. Returns the function that withdraws it. */
export function tellTrouble(trouble: Trouble, before?: Trouble): () => void {
  setTroubles([...troubles.filter((one) => one !== before), trouble]);
  return () => setTroubles(troubles.filter((one) => one !== trouble));
}

/**
 * Fetches code of the app until it is there. Whoever awaits it waits with the page as it is: a lost connection must not
 * replace what somebody reads or types.
 */
export async function untilLoaded<Piece>(fetchPiece: () => Promise<Piece>, of: WaitingFor): Promise<Piece> {
  let told: Trouble | undefined;
  let takeBack: (() => void) | undefined;
  try {
    for (let failures = 1; ; failures += 1) {
      try {
        return await fetchPiece();
      } catch (error) {
        if (!isNotLoaded(error)) throw error;
        console.warn('not loaded:', (error as Error).message);
      }
      // The report is kept during retries: a note that disappears and returns would be read out each time.
      await new Promise<void>((resolve) => {
        const trouble = { of, piece: fetchPiece, failures, retry: actLater(failures, resolve).now };
        takeBack = tellTrouble(trouble, told);
        told = trouble;
      });
    }
  } finally {
    takeBack?.();
  }
}
