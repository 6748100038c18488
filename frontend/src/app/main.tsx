import '../ui/styles';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { browserClock } from '../api/clock';
import { readPageData } from '../api/pageData';
import { splitLanguage } from '../domain/languages';
import { languageOf, makeI18n } from '../i18n';
import { App } from './App';
import { ensureHistoryKey } from './historyKey';
import { prefetchOnIntent } from './prefetch';
import { makeRoutes } from './routes';
import { makeStore, watchSession } from './store';

const i18n = makeI18n(splitLanguage(window.location.pathname).language);
const store = makeStore({
  now: browserClock,
  page: readPageData(document),
  language: () => languageOf(i18n),
});
const routes = makeRoutes(store, i18n);
ensureHistoryKey(window.history);
const router = createBrowserRouter(routes);

watchSession(store, browserClock);
prefetchOnIntent(document, routes);

// The server's HTML is replaced only when the page's code, texts and data are loaded.
let stop: (() => void) | undefined;
const show = () => {
  if (!router.state.initialized) return;
  stop?.();
  const root = document.getElementById('root');
  const app = <App store={store} i18n={i18n} router={router} />;
  // As a transition, React renders in slices between which the browser can handle input.
  if (root) startTransition(() => createRoot(root).render(app));
};
if (router.state.initialized) show();
else stop = router.subscribe(show);
