import { useEffect, useState } from 'react';

/** In milliseconds. */
export const slow = 8_000;
export const stuck = 30_000;
export const long = 60_000;

/** For how long a step has taken, as the last of the times above that it has reached. */
export function useWaited(step: string): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [slow, stuck, long].map((after) => setTimeout(() => setWaited(after), after));
    return () => {
      timers.forEach(clearTimeout);
      setWaited(0);
    };
  }, [step]);
  return waited;
}
