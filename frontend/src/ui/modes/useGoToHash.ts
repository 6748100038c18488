import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** How long the parts of a page may come and move what was led to, in milliseconds. */
const settling = 4_000;

/** What says that the reader goes on by themselves. */
const acts = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Leads to the part of the page that the address names behind its #. What a team works with is loaded after the page has
 * opened and moves while it comes, so the browser finds nothing when it looks for it: the place is followed until the
 * reader does something, or for a moment.
 */
export function useGoToHash(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash.length < 2) return undefined;
    const go = () => document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' });
    const comes = new MutationObserver(go);
    comes.observe(document.body, { childList: true, subtree: true });
    const moves = new ResizeObserver(go);
    moves.observe(document.body);
    const stop = () => {
      comes.disconnect();
      moves.disconnect();
      clearTimeout(timer);
      for (const act of acts) window.removeEventListener(act, stop);
    };
    const timer = setTimeout(stop, settling);
    for (const act of acts) window.addEventListener(act, stop, { passive: true });
    go();
    return stop;
  }, [hash, key]);
}
