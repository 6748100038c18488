import type { CampaignMode } from './access';
import { prefix, type Language } from './languages';
import { titleSlug } from './slug';

/** What the path of a campaign or experiment is made of. Without the server's slug, the title is slugified. */
export interface Named {
  id: number;
  slug?: string;
  title?: string;
}

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
  campaign: (language: Language, campaign: Named) => named(language, campaign),
  /** A campaign's page in one of its modes; view is the page itself. */
  campaignMode: (language: Language, campaign: Named, mode: CampaignMode) =>
    named(language, campaign, mode === 'view' ? '' : `${mode}/`),
  editCampaign: (language: Language, campaign: Named) => paths.campaignMode(language, campaign, 'edit'),
  post: (language: Language, campaign: Named, postId: number) =>
    named(language, campaign, `posts/${postId}/`),
  editPost: (language: Language, campaign: Named, postId: number) =>
    named(language, campaign, `posts/${postId}/edit/`),
  pledge: (language: Language, campaign: Named) => named(language, campaign, 'pledge/'),
  /** For one-off campaigns, which end with the reward's id. */
  pledgeReward: (language: Language, campaign: Named, rewardId: number) =>
    named(language, campaign, `pledge/${rewardId}`),
  /** For recurring campaigns, which end with the amount. */
  pledgeAmount: (language: Language, campaign: Named, amount: number) =>
    named(language, campaign, `pledge/${amount}`),
  thanks: (language: Language, campaign: Named) => named(language, campaign, 'thanks/'),
  subscriptionSuccess: (language: Language, campaign: Named) =>
    named(language, campaign, 'subscription-success/'),
  subscriptionConfirmed: (language: Language, subscriptionId: string) =>
    at(language, `${subscriptionId}/_/subscription-success/`),
  paymentReturn: (language: Language) => at(language, 'payment-return/'),
  subscription: (language: Language, subscriptionId: string) =>
    at(language, `subscriptions/${subscriptionId}/`),
  createCampaign: (language: Language) => at(language, 'create-campaign/'),
  createExperiment: (language: Language) => at(language, 'create-experiment/'),
  experiments: (language: Language) => at(language, 'experiments/'),
  experiment: (language: Language, experiment: Named) =>
    at(language, `experiments/${experiment.id}/${slugOf(experiment)}/`),
  admin: (language: Language, section: 'experiments' | 'campaigns' | 'payments' | 'users') =>
    at(language, `admin/${section}/`),
  profiles: (language: Language) => at(language, 'profiles/'),
  profile: (language: Language, id: ProfileId) => at(language, `profile/${id}/`),
  onboardRefresh: (language: Language) => at(language, 'profile/me/stripe-onboard/refresh/'),
  onboardReturn: (language: Language) => at(language, 'profile/me/stripe-onboard/return/'),
  passwordReset: (language: Language) => at(language, 'password-reset/'),
  forumSignOn: (language: Language) => at(language, 'forum/sso/'),
  recommendations: (language: Language) => at(language, 'recommendations/'),
  info: (language: Language, page: InfoPage) => at(language, `info/${page}/`),
};

/** The static pages. */
export const infoPages = ['start', 'pricing', 'money', 'terms', 'privacy', 'accessibility'] as const;
export type InfoPage = (typeof infoPages)[number];
