import { useEffect, useRef } from 'react';

/**
 * Focuses the heading when it appears, if the focus was lost with the pay button or the bank's iframe. Also clears the
 * text selection that a double click on the pay button leaves behind.
 */
export function useHeadingFocus(isThere: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => window.getSelection()?.removeAllRanges(), []);
  useEffect(() => {
    if (isThere && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isThere]);
  return heading;
}
