/** The content that the addresses of pages name. */
export interface Subjects {
  /** A campaign's path, such as /7/sauna/. */
  campaign: string;
  /** The id of one of its updates. */
  post: number;
  /** An experiment's path. */
  experiment: string;
  /** The id of somebody in the index of people. */
  person: number;
  /** The id of somebody's monthly support. */
  subscription: string;
}

/** One address of each page in pages.json, by the page's name. A test compares the names and addresses with the table. */
export const addressesOf = ({
  campaign,
  post,
  experiment,
  person,
  subscription,
}: Subjects): Record<string, string> => ({
  home: '/',
  campaigns: '/campaigns/',
  search: '/search/',
  experiments: '/experiments/',
  experiment,
  info: '/info/pricing/',
  ledger: '/ledger/',
  reviews: '/review/',
  campaign,
  post: `${campaign}posts/${post}/`,
  overview: `${campaign}overview/`,
  'campaign-edit': `${campaign}edit/`,
  review: `${campaign}review/`,
  'post-edit': `${campaign}posts/${post}/edit/`,
  'create-campaign': '/create-campaign/',
  'my-campaigns': '/my-campaigns/',
  'my-pledges': '/profile/me/pledges/',
  invitation: '/invitation/',
  letters: '/letters/',
  reminders: '/reminders/',
  recommendations: '/recommendations/',
  people: '/profiles/',
  profile: `/profile/${person}/`,
  'my-profile': '/profile/me/',
  'experiment-edit': `${experiment}edit/`,
  'create-experiment': '/create-experiment/',
  'admin-experiments': '/admin/experiments/',
  'admin-money': '/admin/money/',
  admin: '/admin/people/',
  'verify-email': '/verify-email/',
  'forum-sso': '/forum/sso/',
  'password-reset': '/password-reset/',
  security: '/profile/me/security/',
  'sign-in-page': '/sign-in/',
  pledge: `${campaign}pledge/`,
  'pledge-payment': `${campaign}pay/`,
  thanks: `${campaign}thanks/`,
  'subscription-success': `${campaign}subscription-success/`,
  'subscription-confirmed': `/${subscription}/_/subscription-success/`,
  subscription: `/subscriptions/${subscription}/`,
  'my-subscriptions': '/profile/me/subscriptions/',
  'money-calendar': '/profile/me/calendar/',
  payouts: '/profile/me/payouts/',
  payout: '/profile/me/payouts/01jd0000000000000000000001/',
  claims: '/profile/me/claims/',
  claim: '/profile/me/claims/01JD0000000000000000000001/',
  'onboard-return': '/profile/me/stripe-onboard/return/',
  'onboard-refresh': '/profile/me/stripe-onboard/refresh/',
  'support-link': '/support-link/',
  'pledge-link': '/pledge-link/',
  'support-receipt': '/support-receipt/',
  'payment-return': '/payment-return/',
});
