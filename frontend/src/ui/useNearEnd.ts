import { useCallback, useEffect, useRef, type RefCallback } from 'react';

/** Returns a ref; calls `onNear` when its element comes within 600 px of the screen while `hasMore`. */
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
