import type { RouteObject } from 'react-router-dom';
import { languages, prefix, type Language } from '../domain/languages';
import { changeLanguage } from '../i18n';
import pageParts from '../i18n/pageParts.json';
import { loadTexts, type TextPart } from '../i18n/texts';
import type { PageModule } from '../ui/page';
import { untilLoaded } from '../ui/untilLoaded';
import '../styles/first.css';
import { NotFoundPage, RouteErrorPage } from './ErrorPages';
import pages from './pages.generated.json';
import { Shell } from './Shell';
import type { AppStore } from './store';
import type { i18n } from 'i18next';

/** What a route says about itself to the shell. */
export interface RouteHandle {
  /** At checkout the header is only mark, language and theme. */
  header?: 'checkout';
  /** Fetches the page's code and words ahead of the click. */
  preload?: () => unknown;
}

/** The code of every page of the table that server and app share; a page's chunk has its name. */
export const pageModules = {
  home: () => import(/* webpackChunkName: "home" */ '../features/campaigns/home/HomePage'),
  campaigns: () => import(/* webpackChunkName: "campaigns" */ '../features/campaigns/index/CampaignsPage'),
  campaign: () => import(/* webpackChunkName: "campaign" */ '../features/campaigns/page/CampaignPage'),
  post: () => import(/* webpackChunkName: "post" */ '../features/posts/PostPage'),
  'post-edit': () => import(/* webpackChunkName: "post-edit" */ '../features/editing/post/PostEditPage'),
  experiments: () => import(/* webpackChunkName: "experiments" */ '../features/experiments/ExperimentsPage'),
  experiment: () => import(/* webpackChunkName: "experiment" */ '../features/experiments/ExperimentPage'),
  info: () => import(/* webpackChunkName: "info" */ '../features/info/InfoPage'),
  'verify-email': () =>
    import(/* webpackChunkName: "verify-email" */ '../features/auth/verify/VerifyEmailPage'),
  pledge: () => import(/* webpackChunkName: "pledge" */ '../features/pledging/PledgePage'),
  thanks: () => import(/* webpackChunkName: "thanks" */ '../features/pledging/thanks/ThanksPage'),
  'payment-return': () =>
    import(/* webpackChunkName: "payment-return" */ '../features/pledging/returning/PaymentReturnPage'),
} satisfies Record<string, () => Promise<PageModule>>;

interface Page {
  path: string;
  name: string;
  paint?: string;
}

/** The route table, mounted once for each language. */
export function makeRoutes(store: AppStore, instance: i18n): RouteObject[] {
  return languages.map((language) => ({
    path: `/${prefix(language)}`,
    // The shell waits for its language's texts; pages fetch theirs at the same time.
    loader: async () => {
      await untilLoaded(() => changeLanguage(instance, language), 'page');
      return null;
    },
    shouldRevalidate: () => instance.language !== language,
    Component: Shell,
    ErrorBoundary: RouteErrorPage,
    HydrateFallback: Nothing,
    children: [
      {
        ErrorBoundary: RouteErrorPage,
        children: [
          ...pages.map((page) => pageRoute(page, language, store, instance)),
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  }));
}

// Keeps the HTML that the server painted until the app has all it needs.
function Nothing() {
  return null;
}

/** Code and data are loaded before the page is shown, so it never flashes empty. */
function pageRoute(
  { path, name, paint }: Page,
  language: Language,
  store: AppStore,
  instance: i18n,
): RouteObject {
  const page = name as keyof typeof pageModules;
  const fetchPage = async (): Promise<PageModule> => {
    const texts = loadTexts(instance, language, pageParts[page] as TextPart[]);
    const [module] = await Promise.all([pageModules[page](), texts]);
    return module;
  };
  return {
    path,
    handle: {
      header: paint === 'checkout' ? paint : undefined,
      preload: fetchPage,
    } satisfies RouteHandle,
    lazy: async () => {
      const { Component, load } = await untilLoaded(fetchPage, 'page');
      return {
        Component,
        loader: async ({ params, request }) =>
          (await load?.({ params, request, language, dispatch: store.dispatch })) ?? null,
      };
    },
  };
}
