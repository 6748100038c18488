import type { CampaignMode } from './access';
import { prefix, type Language } from './languages';
import type { MoneyPart } from './moneyParts';
import { titleSlug } from './slug';

/** The parts of a campaign's or experiment's path. Without a slug from the server, the slug is made from the title. */
export interface Named {
  id: number;
  slug?: string;
  title?: string;
}

/** A user's id; 'me' for the signed-in user. */
export type ProfileId = number | 'me';

const slugOf = ({ slug, title }: Named) => slug || titleSlug(title ?? '');
const at = (language: Language, rest: string) => `/${prefix(language)}${rest}`;
const named = (language: Language, thing: Named, rest = '') =>
  at(language, `${thing.id}/${slugOf(thing)}/${rest}`);

/** A query string with its question mark, without empty values; '' if there are none. */
export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') params.set(key, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

/** Every path of the app. Nothing else builds paths. */
export const paths = {
  home: (language: Language) => at(language, ''),
  campaigns: (language: Language, filters: Parameters<typeof query>[0] = {}) =>
    at(language, `campaigns/${query(filters)}`),
  search: (language: Language, search: Parameters<typeof query>[0] = {}) =>
    at(language, `search/${query(search)}`),
  campaign: (language: Language, campaign: Named) => named(language, campaign),
  /** The review queue, for staff. */
  reviews: (language: Language) => at(language, 'review/'),
  /** A campaign's page in one of its modes; view is the page itself. */
  campaignMode: (language: Language, campaign: Named, mode: CampaignMode) =>
    named(language, campaign, mode === 'view' ? '' : `${mode}/`),
  editCampaign: (language: Language, campaign: Named) => paths.campaignMode(language, campaign, 'edit'),
  post: (language: Language, campaign: Named, postId: number) =>
    named(language, campaign, `posts/${postId}/`),
  editPost: (language: Language, campaign: Named, postId: number) =>
    named(language, campaign, `posts/${postId}/edit/`),
  pledge: (language: Language, campaign: Named) => named(language, campaign, 'pledge/'),
  /** The checkout of a one-off campaign with a reward chosen: ends with the reward's id. */
  pledgeReward: (language: Language, campaign: Named, rewardId: number) =>
    named(language, campaign, `pledge/${rewardId}`),
  /** The checkout of a monthly campaign with an amount chosen: ends with the amount, in the major unit. */
  pledgeAmount: (language: Language, campaign: Named, amount: number) =>
    named(language, campaign, `pledge/${amount}`),
  /** Where one pledge is paid, or a change of one, without its token, which is in the fragment. */
  pledgePayment: (language: Language, campaign: Named) => named(language, campaign, 'pay/'),
  thanks: (language: Language, campaign: Named) => named(language, campaign, 'thanks/'),
  subscriptionSuccess: (language: Language, campaign: Named) =>
    named(language, campaign, 'subscription-success/'),
  subscriptionConfirmed: (language: Language, subscriptionId: string) =>
    at(language, `${subscriptionId}/_/subscription-success/`),
  paymentReturn: (language: Language) => at(language, 'payment-return/'),
  /** The return of a pledge. `debit`: the day (YYYY-MM-DD) on which the debit of an account was begun. */
  returnOf: (language: Language, pledge: string, debit?: string) =>
    at(language, `payment-return/${query({ pledge, debit })}`),
  subscription: (language: Language, subscriptionId: string) =>
    at(language, `subscriptions/${subscriptionId}/`),
  /** Where a mailed link leads that does one thing, without its token, which is in the fragment of the mailed one. */
  supportLink: (language: Language) => at(language, 'support-link/'),
  /** Where the link of a pledge leads, without its token; and where one asks for such a link. */
  pledgeLink: (language: Language) => at(language, 'pledge-link/'),
  /** The hashes of the book's days. */
  ledger: (language: Language) => at(language, 'ledger/'),
  supportReceipt: (language: Language) => at(language, 'support-receipt/'),
  createCampaign: (language: Language) => at(language, 'create-campaign/'),
  myCampaigns: (language: Language, filters: Parameters<typeof query>[0] = {}) =>
    at(language, `my-campaigns/${query(filters)}`),
  createExperiment: (language: Language) => at(language, 'create-experiment/'),
  experiments: (language: Language) => at(language, 'experiments/'),
  editExperiment: (language: Language, experiment: Named) => `${paths.experiment(language, experiment)}edit/`,
  experiment: (language: Language, experiment: Named) =>
    at(language, `experiments/${experiment.id}/${slugOf(experiment)}/`),
  admin: (language: Language, section: AdminSection, filters: Parameters<typeof query>[0] = {}) =>
    at(language, `admin/${section}/${query(filters)}`),
  /** The operator's desk, a part of it, and one thing of a part. */
  money: (
    language: Language,
    part?: MoneyPart,
    key?: string | number,
    filters: Parameters<typeof query>[0] = {},
  ) =>
    at(
      language,
      `admin/money/${part ? `${part}/` : ''}${key === undefined ? '' : `${key}/`}${query(filters)}`,
    ),
  profiles: (language: Language, filters: Parameters<typeof query>[0] = {}) =>
    at(language, `profiles/${query(filters)}`),
  profile: (language: Language, id: ProfileId) => at(language, `profile/${id}/`),
  /** What the signed-in person has backed. */
  myPledges: (language: Language, filters: Parameters<typeof query>[0] = {}) =>
    at(language, `profile/me/pledges/${query(filters)}`),
  moneyCalendar: (language: Language) => at(language, 'profile/me/calendar/'),
  /** What the signed-in person supports monthly. */
  mySubscriptions: (language: Language) => at(language, 'profile/me/subscriptions/'),
  /** Where the signed-in person is paid as a creator. */
  payouts: (language: Language) => at(language, 'profile/me/payouts/'),
  /** The statement of one payout. */
  payout: (language: Language, id: string) => at(language, `profile/me/payouts/${id}/`),
  /** The claims about the campaigns of the signed-in person's teams; one of them, also for staff. */
  claims: (language: Language) => at(language, 'profile/me/claims/'),
  claim: (language: Language, claimId: string) => at(language, `profile/me/claims/${claimId}/`),
  onboardRefresh: (language: Language) => at(language, 'profile/me/stripe-onboard/refresh/'),
  onboardReturn: (language: Language) => at(language, 'profile/me/stripe-onboard/return/'),
  passwordReset: (language: Language) => at(language, 'password-reset/'),
  forumSignOn: (language: Language) => at(language, 'forum/sso/'),
  recommendations: (language: Language) => at(language, 'recommendations/'),
  info: (language: Language, page: InfoPage) => at(language, `info/${page}/`),
};

export type AdminSection =
  'experiments' | 'campaigns' | 'categories' | 'tags' | 'home' | 'payments' | 'claims' | 'people' | 'audit';

/** The static pages. */
export const infoPages = ['start', 'pricing', 'money', 'terms', 'privacy', 'accessibility'] as const;
/** The name of a static page in its address. */
export type InfoPage = (typeof infoPages)[number];
