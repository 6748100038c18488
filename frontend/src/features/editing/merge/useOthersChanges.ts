import { useEffect, useRef } from 'react';

/** How often an open editor looks for others' changes, in milliseconds. */
const every = 20_000;

/** Looks for others' changes now and then while the page is seen, and when somebody returns to it. */
export function useOthersChanges(look: () => unknown): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    const lookIfSeen = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) void latest.current();
    };
    const timer = setInterval(lookIfSeen, every);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, []);
}
