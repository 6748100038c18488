import { useEffect, useRef, useState } from 'react';

/** Waits before each look, in milliseconds: quick at first, then patient; the last one goes on. */
const waits = [1_000, 1_500, 2_500, 4_000, 6_000, 10_000, 15_000];

/** After this many polls somebody who waits is told that it takes longer than usual. */
export const slowAfterPolls = 8;

/** Asks again and again until there is nothing more to wait for. Gives how often it has asked. */
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
      waits[Math.min(polls, waits.length - 1)],
    );
    return () => clearTimeout(timer);
  }, [isWaiting, polls]);
  return polls;
}
