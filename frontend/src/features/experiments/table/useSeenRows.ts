import { useEffect, useRef, useState } from 'react';

/** Of a row of the whole table, in pixels; its texts stay on one line. */
export const rowHeight = 50;

/** How many rows beyond the window are in the page, so that scrolling meets no gap. */
const beyond = 30;

/** Which rows of a long table are near the window: from `first` up to `end`. */
export function useSeenRows(count: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const measure = () => {
      const above = -(ref.current?.getBoundingClientRect().top ?? 0) / rowHeight;
      // In steps, so that a page is not made anew with every pixel.
      setTop(Math.max(0, Math.floor(above / 10) * 10));
    };
    measure();
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [count]);
  const inWindow = Math.ceil(window.innerHeight / rowHeight);
  const first = Math.max(0, Math.min(top - beyond, count - 1));
  return { ref, first: Math.max(0, first), end: Math.min(count, top + inWindow + beyond) };
}
