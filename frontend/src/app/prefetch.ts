import { matchRoutes, type RouteObject } from 'react-router-dom';
import type { RouteHandle } from './routes';

/** Fetches a page's code when a link to it is hovered or focused, before the click. */
export function prefetchOnIntent(document: Document, routes: RouteObject[]): void {
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin !== window.location.origin) return;
    const handle = matchRoutes(routes, link.pathname)?.at(-1)?.route.handle as RouteHandle | undefined;
    // A failure is ignored: the click tries again, and reports it.
    Promise.resolve(handle?.preload?.()).catch(() => undefined);
  };
  document.addEventListener('pointerover', prefetch, { passive: true });
  document.addEventListener('focusin', prefetch);
}
