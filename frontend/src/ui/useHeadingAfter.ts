import { useLayoutEffect, type RefObject } from 'react';

/** When an element goes away with the focus in it, the focus moves to the heading before it, and is not lost. */
export function useHeadingAfter(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const going = element.current;
    return () => {
      if (going?.contains(document.activeElement)) focusHeadingBefore(going);
    };
  }, [element]);
}

function focusHeadingBefore(element: Element) {
  const heading = [...document.querySelectorAll<HTMLElement>('main h1, main h2, main h3')]
    .filter((one) => one.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_FOLLOWING)
    .at(-1);
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}
