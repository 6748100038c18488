import { useEffect, useRef, useState } from 'react';

/** The pauses before each poll, in milliseconds; the last one is repeated. */
const pauses = [1_000, 1_500, 2_500, 4_000, 6_000, 10_000, 15_000];

/** After this many polls, tell the user that it takes longer than usual. */
export const slowAfterPolls = 8;

/** Calls `ask` repeatedly while `isWaiting`. Returns the number of polls so far. */
export function usePolling(isWaiting: boolean, ask: () => void): number {
  const [polls, setPolls] = useState(0);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(
      () => {
        latest.current();
        setPolls(polls + 1);
      },
      pauses[Math.min(polls, pauses.length - 1)],
    );
    return () => clearTimeout(timer);
  }, [isWaiting, polls]);
  return polls;
}
