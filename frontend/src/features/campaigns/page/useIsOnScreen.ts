import { useCallback, useState, type RefCallback } from 'react';

/** Whether an element is on the screen; true until the browser has looked. Give the first value to it as its ref. */
export function useIsOnScreen(): [RefCallback<Element>, boolean] {
  const [isOnScreen, setOnScreen] = useState(true);
  const watch = useCallback((element: Element | null) => {
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? true));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [watch, isOnScreen];
}
