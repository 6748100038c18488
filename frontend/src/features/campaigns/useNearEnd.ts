import { useCallback, useEffect, useRef, type RefCallback } from 'react';

/** Calls for more when the element it is given to comes near the screen, as long as there is more. */
export function useNearEnd(hasMore: boolean, onNear: () => unknown): RefCallback<Element> {
  const now = useRef({ hasMore, onNear });
  useEffect(() => {
    now.current = { hasMore, onNear };
  });
  return useCallback((element: Element | null) => {
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting && now.current.hasMore) now.current.onNear();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}
