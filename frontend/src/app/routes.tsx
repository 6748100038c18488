import type { RouteObject } from 'react-router-dom';
import { languages, prefix, type Language } from '../domain/languages';
import { changeLanguage } from '../i18n';
import pageParts from '../i18n/pageParts.json';
import { loadTexts, type TextPart } from '../i18n/texts';
import type { PageModule } from '../ui/page';
import { loadWithRetry } from '../ui/loadWithRetry';
import '../styles/first.css';
import '../styles/story.css';
import { NotFoundPage, RouteErrorPage } from './ErrorPages';
import pages from './pages.generated.json';
import { Shell } from './Shell';
import type { AppStore } from './store';
import type { i18n } from 'i18next';

/** Route data for the shell and for prefetching. */
export interface RouteHandle {
  /** The page's name in pages.generated.json. */
  page?: string;
  /** 'checkout': CheckoutHeader in place of Header. */
  header?: 'checkout';
  /** Loads the page's code and texts before the click. */
  preload?: () => unknown;
}

/**
 * The module of every page in pages.generated.json, the table shared with the server. A page's chunk has the page's
 * name, by which the server finds the files to preload.
 */
export const pageModules = {
  home: () => import(/* webpackChunkName: "home" */ '../features/campaigns/home/HomePage'),
  campaigns: () => import(/* webpackChunkName: "campaigns" */ '../features/campaigns/index/CampaignsPage'),
  search: () => import(/* webpackChunkName: "search" */ '../features/campaigns/search/SearchPage'),
  campaign: () => import(/* webpackChunkName: "campaign" */ '../features/campaigns/page/CampaignPage'),
  post: () => import(/* webpackChunkName: "post" */ '../features/posts/PostPage'),
  overview: () => import(/* webpackChunkName: "overview" */ '../features/overview/OverviewPage'),
  'campaign-edit': () =>
    import(/* webpackChunkName: "campaign-edit" */ '../features/editing/campaign/CampaignEditPage'),
  review: () => import(/* webpackChunkName: "review" */ '../features/editing/review/ReviewPage'),
  reviews: () => import(/* webpackChunkName: "reviews" */ '../features/editing/review/ReviewsPage'),
  'post-edit': () => import(/* webpackChunkName: "post-edit" */ '../features/editing/post/PostEditPage'),
  experiments: () => import(/* webpackChunkName: "experiments" */ '../features/experiments/ExperimentsPage'),
  experiment: () => import(/* webpackChunkName: "experiment" */ '../features/experiments/ExperimentPage'),
  people: () => import(/* webpackChunkName: "people" */ '../features/people/PeoplePage'),
  profile: () => import(/* webpackChunkName: "profile" */ '../features/people/ProfilePage'),
  'my-profile': () => import(/* webpackChunkName: "my-profile" */ '../features/profile/MyProfilePage'),
  admin: () => import(/* webpackChunkName: "admin" */ '../features/admin/AdminPage'),
  'admin-money': () => import(/* webpackChunkName: "admin-money" */ '../features/admin/money/MoneyPage'),
  'experiment-edit': () =>
    import(/* webpackChunkName: "experiment-edit" */ '../features/editing/experiment/ExperimentEditPage'),
  'create-experiment': () =>
    import(/* webpackChunkName: "create-experiment" */ '../features/editing/experiment/CreateExperimentPage'),
  'admin-experiments': () =>
    import(/* webpackChunkName: "admin-experiments" */ '../features/experiments/table/ExperimentTablePage'),
  info: () => import(/* webpackChunkName: "info" */ '../features/info/InfoPage'),
  ledger: () => import(/* webpackChunkName: "ledger" */ '../features/info/ledger/LedgerPage'),
  'create-campaign': () =>
    import(/* webpackChunkName: "create-campaign" */ '../features/campaigns/create/CreateCampaignPage'),
  'my-campaigns': () =>
    import(/* webpackChunkName: "my-campaigns" */ '../features/campaigns/mine/MyCampaignsPage'),
  invitation: () => import(/* webpackChunkName: "invitation" */ '../features/campaigns/mine/InvitationPage'),
  reminders: () => import(/* webpackChunkName: "reminders" */ '../features/posts/RemindersPage'),
  'pledge-payment': () =>
    import(/* webpackChunkName: "pledge-payment" */ '../features/pledging/linked/PledgePaymentPage'),
  letters: () => import(/* webpackChunkName: "letters" */ '../features/posts/LettersPage'),
  recommendations: () =>
    import(/* webpackChunkName: "recommendations" */ '../features/recommendations/RecommendationsPage'),
  'verify-email': () =>
    import(/* webpackChunkName: "verify-email" */ '../features/auth/verify/VerifyEmailPage'),
  'my-pledges': () =>
    import(/* webpackChunkName: "my-pledges" */ '../features/profile/pledges/MyPledgesPage'),
  'forum-sso': () => import(/* webpackChunkName: "forum-sso" */ '../features/auth/forum/ForumSignOnPage'),
  'password-reset': () =>
    import(/* webpackChunkName: "password-reset" */ '../features/auth/reset/PasswordResetPage'),
  security: () => import(/* webpackChunkName: "security" */ '../features/auth/security/SecurityPage'),
  'sign-in-page': () => import(/* webpackChunkName: "sign-in-page" */ '../features/auth/page/SignInPage'),
  pledge: () => import(/* webpackChunkName: "pledge" */ '../features/pledging/PledgePage'),
  thanks: () => import(/* webpackChunkName: "thanks" */ '../features/pledging/thanks/ThanksPage'),
  'subscription-success': () =>
    import(
      /* webpackChunkName: "subscription-success" */ '../features/pledging/thanks/SubscriptionSuccessPage'
    ),
  'subscription-confirmed': () =>
    import(
      /* webpackChunkName: "subscription-confirmed" */ '../features/pledging/thanks/SubscriptionSuccessPage'
    ),
  subscription: () =>
    import(/* webpackChunkName: "subscription" */ '../features/pledging/subscription/SubscriptionPage'),
  'my-subscriptions': () =>
    import(
      /* webpackChunkName: "my-subscriptions" */ '../features/profile/subscriptions/MySubscriptionsPage'
    ),
  'money-calendar': () =>
    import(/* webpackChunkName: "money-calendar" */ '../features/profile/calendar/MoneyCalendarPage'),
  claims: () => import(/* webpackChunkName: "claims" */ '../features/claims/ClaimsPage'),
  claim: () => import(/* webpackChunkName: "claim" */ '../features/claims/ClaimPage'),
  payouts: () => import(/* webpackChunkName: "payouts" */ '../features/profile/payouts/PayoutsPage'),
  payout: () => import(/* webpackChunkName: "payout" */ '../features/profile/payouts/StatementPage'),
  'onboard-return': () =>
    import(/* webpackChunkName: "onboard-return" */ '../features/profile/payouts/PayoutsPage'),
  'onboard-refresh': () =>
    import(/* webpackChunkName: "onboard-refresh" */ '../features/profile/payouts/PayoutsPage'),
  'support-link': () =>
    import(/* webpackChunkName: "support-link" */ '../features/pledging/subscription/link/SupportLinkPage'),
  'pledge-link': () =>
    import(/* webpackChunkName: "pledge-link" */ '../features/profile/pledges/OpenedPledgePage'),
  'support-receipt': () =>
    import(
      /* webpackChunkName: "support-receipt" */ '../features/pledging/subscription/link/SupportReceiptPage'
    ),
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
      await loadWithRetry(() => changeLanguage(instance, language), 'page');
      return null;
    },
    shouldRevalidate: () => instance.language !== language,
    Component: Shell,
    ErrorBoundary: RouteErrorPage,
    HydrateFallback: NoFallback,
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

// Never seen: main.tsx renders nothing before the first page is loaded, so that the server's HTML stays until then.
function NoFallback() {
  return null;
}

/** Loads code, texts and data before the page is shown, so that it is never shown empty. */
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
      page,
      header: paint === 'checkout' ? paint : undefined,
      preload: fetchPage,
    } satisfies RouteHandle,
    lazy: async () => {
      const { Component, load } = await loadWithRetry(fetchPage, 'page');
      return {
        Component,
        loader: async ({ params, request }) =>
          (await load?.({ params, request, language, dispatch: store.dispatch })) ?? null,
      };
    },
  };
}
