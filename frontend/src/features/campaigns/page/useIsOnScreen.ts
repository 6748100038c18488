import { useCallback, useState, type RefCallback } from 'react';

/** Returns a ref for an element and whether it is on the screen; true until it has been observed. */
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
