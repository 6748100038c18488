import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** How long the element is kept in view while the page is still loading, in milliseconds. */
const followTime = 4_000;

/** Events of a user who interacts with the page; after them it must not scroll by itself. */
const interactions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to the element that the address's hash names. The browser's own scrolling does not find it, because these
 * pages load their content after they have opened. Content that loads later moves the element again, so it is scrolled
 * to on every change of the page, until the user interacts or a few seconds have passed.
 */
export function useScrollToHash(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash.length < 2) return undefined;
    const scroll = () => document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
    const mutations = new MutationObserver(scroll);
    mutations.observe(document.body, { childList: true, subtree: true });
    const resizes = new ResizeObserver(scroll);
    resizes.observe(document.body);
    const stop = () => {
      mutations.disconnect();
      resizes.disconnect();
      clearTimeout(timer);
      for (const type of interactions) window.removeEventListener(type, stop);
    };
    const timer = setTimeout(stop, followTime);
    for (const type of interactions) window.addEventListener(type, stop, { passive: true });
    scroll();
    return stop;
  }, [hash, key]);
}
