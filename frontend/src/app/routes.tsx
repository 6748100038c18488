import type { RouteObject } from 'react-router-dom';
import { languages, prefix, type Language } from '../domain/languages';
import { changeLanguage } from '../i18n';
import type { PageModule } from '../ui/page';
import { untilLoaded } from '../ui/untilLoaded';
import '../styles/first.css';
import { NotFoundPage, RouteErrorPage } from './ErrorPages';
import { Shell } from './Shell';
import type { AppStore } from './store';
import type { i18n } from 'i18next';

/** What a route says about itself to the shell. */
export interface RouteHandle {
  /** At checkout the header is only mark, language and theme. */
  header?: 'checkout';
  /** Fetches the page's code ahead of the click. */
  preload?: () => unknown;
}

interface Page {
  path: string;
  fetchModule: () => Promise<PageModule>;
  handle?: RouteHandle;
}

// Every page of the app, without its language. Addresses are built by domain/paths.ts.
const pages: readonly Page[] = [
  {
    path: '',
    fetchModule: () => import(/* webpackChunkName: "home" */ '../features/campaigns/home/HomePage'),
  },
  {
    path: 'campaigns/',
    fetchModule: () =>
      import(/* webpackChunkName: "campaigns" */ '../features/campaigns/index/CampaignsPage'),
  },
  {
    path: ':campaignId/:slug/',
    fetchModule: () => import(/* webpackChunkName: "campaign" */ '../features/campaigns/page/CampaignPage'),
  },
  {
    path: ':campaignId/:slug/posts/:postId/',
    fetchModule: () => import(/* webpackChunkName: "post" */ '../features/posts/PostPage'),
  },
  {
    path: 'experiments/',
    fetchModule: () =>
      import(/* webpackChunkName: "experiments" */ '../features/experiments/ExperimentsPage'),
  },
  {
    path: 'experiments/:experimentId/:slug/',
    fetchModule: () => import(/* webpackChunkName: "experiment" */ '../features/experiments/ExperimentPage'),
  },
  {
    path: 'info/:page/',
    fetchModule: () => import(/* webpackChunkName: "info" */ '../features/info/InfoPage'),
  },
  {
    path: 'verify-email/',
    fetchModule: () => import(/* webpackChunkName: "verify" */ '../features/auth/verify/VerifyEmailPage'),
  },
  {
    path: ':campaignId/:slug/pledge/:rewardId?',
    fetchModule: () => import(/* webpackChunkName: "pledge" */ '../features/pledging/PledgePage'),
    handle: { header: 'checkout' },
  },
  {
    path: ':campaignId/:slug/thanks/',
    fetchModule: () => import(/* webpackChunkName: "thanks" */ '../features/pledging/thanks/ThanksPage'),
  },
  {
    path: 'payment-return/',
    fetchModule: () =>
      import(/* webpackChunkName: "payment-return" */ '../features/pledging/returning/PaymentReturnPage'),
    handle: { header: 'checkout' },
  },
];

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
          ...pages.map((page) => pageRoute(page, language, store)),
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  }));
}

// The page's own first paint stays until the app has all it needs.
function Nothing() {
  return null;
}

/** Code and data are there before the page is shown, so it never flashes an empty face. */
function pageRoute({ path, fetchModule, handle }: Page, language: Language, store: AppStore): RouteObject {
  return {
    path,
    handle: { ...handle, preload: fetchModule } satisfies RouteHandle,
    lazy: async () => {
      const { Component, load } = await untilLoaded(fetchModule, 'page');
      return {
        Component,
        loader: async ({ params, request }) =>
          (await load?.({ params, request, language, dispatch: store.dispatch })) ?? null,
      };
    },
  };
}
