/**
 * What a chunk is loaded for. page: the next page · overlay: something that opens over the page, such as a dialog ·
 * inline: a component within the page, which shows the failure in its own place.
 */
export type LoadKind = 'page' | 'overlay' | 'inline';

/** A chunk that failed to load and is being retried. */
export interface LoadFailure {
  kind: LoadKind;
  /** Identifies the chunk: the function that fetches it. */
  chunk: unknown;
  /** Failed attempts so far. */
  failures: number;
  /** Retries now instead of after the pause. */
  retry: () => void;
}

/**
 * Whether a script, or the stylesheet that belongs to it, could not be fetched: the connection is lost, or a deploy has
 * replaced the file. Any other error is a bug, which a retry would only repeat.
 */
function isChunkLoadError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'))
  );
}

// In milliseconds; the last one is repeated.
const pauses = [1_000, 2_000, 5_000, 10_000, 20_000];

/**
 * Calls `act` once: after a pause that grows with `failures`, as soon as the browser is online again, or when `now` is
 * called, whichever comes first.
 */
export function retryLater(failures: number, act: () => void): { now: () => void; cancel: () => void } {
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

let loadFailures: readonly LoadFailure[] = [];
const listeners = new Set<() => void>();

function setLoadFailures(next: readonly LoadFailure[]) {
  loadFailures = next;
  for (const listener of listeners) listener();
}

/** All loads that are failing now, for `useSyncExternalStore`. */
export const loadFailureStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  get: () => loadFailures,
};

/** Reports a failing load, replacing its earlier report. Returns the function that withdraws it. */
export function reportLoadFailure(failure: LoadFailure, earlier?: LoadFailure): () => void {
  setLoadFailures([...loadFailures.filter((one) => one !== earlier), failure]);
  return () => setLoadFailures(loadFailures.filter((one) => one !== failure));
}

/**
 * Loads a chunk, retrying until it succeeds. The page stays as it is meanwhile: a lost connection must not replace what
 * somebody is reading or typing.
 */
export async function loadWithRetry<Chunk>(fetchChunk: () => Promise<Chunk>, kind: LoadKind): Promise<Chunk> {
  let reported: LoadFailure | undefined;
  let withdraw: (() => void) | undefined;
  try {
    for (let failures = 1; ; failures += 1) {
      try {
        return await fetchChunk();
      } catch (error) {
        if (!isChunkLoadError(error)) throw error;
        console.warn('not loaded:', (error as Error).message);
      }
      // The report is kept during retries: a notice that disappears and returns would be read out each time.
      await new Promise<void>((resolve) => {
        const failure = { kind, chunk: fetchChunk, failures, retry: retryLater(failures, resolve).now };
        withdraw = reportLoadFailure(failure, reported);
        reported = failure;
      });
    }
  } finally {
    withdraw?.();
  }
}
