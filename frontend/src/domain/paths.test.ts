import { inLanguage, splitLanguage } from './languages';
import { paths, query } from './paths';

const campaign = { id: 12, slug: 'hoyry-kylan-yhteinen-saunalautta' };

test.each([
  [paths.home('fi'), '/'],
  [paths.home('en'), '/en/'],
  [paths.campaigns('fi'), '/campaigns/'],
  [
    paths.campaigns('sv', { stages: 6, keyword: 'kör & sång' }),
    '/sv/campaigns/?stages=6&keyword=k%C3%B6r+%26+s%C3%A5ng',
  ],
  [paths.campaign('fi', campaign), '/12/hoyry-kylan-yhteinen-saunalautta/'],
  [paths.campaign('en', { id: 12, title: 'Höyry – kylän' }), '/en/12/hoyry-kylan/'],
  [paths.editCampaign('fi', campaign), '/12/hoyry-kylan-yhteinen-saunalautta/edit/'],
  [paths.campaignMode('sv', campaign, 'overview'), '/sv/12/hoyry-kylan-yhteinen-saunalautta/overview/'],
  [paths.campaignMode('fi', campaign, 'review'), '/12/hoyry-kylan-yhteinen-saunalautta/review/'],
  [paths.campaignMode('en', campaign, 'view'), '/en/12/hoyry-kylan-yhteinen-saunalautta/'],
  [paths.post('fi', campaign, 4), '/12/hoyry-kylan-yhteinen-saunalautta/posts/4/'],
  [paths.pledge('en', campaign), '/en/12/hoyry-kylan-yhteinen-saunalautta/pledge/'],
  [paths.pledgeReward('fi', campaign, 31), '/12/hoyry-kylan-yhteinen-saunalautta/pledge/31'],
  [paths.pledgeAmount('fi', campaign, 7.5), '/12/hoyry-kylan-yhteinen-saunalautta/pledge/7.5'],
  [paths.thanks('fi', campaign), '/12/hoyry-kylan-yhteinen-saunalautta/thanks/'],
  [paths.thanks('en', campaign), '/en/12/hoyry-kylan-yhteinen-saunalautta/thanks/'],
  [
    paths.subscriptionSuccess('sv', campaign),
    '/sv/12/hoyry-kylan-yhteinen-saunalautta/subscription-success/',
  ],
  [paths.subscriptionConfirmed('en', '5n3v0w7k'), '/en/5n3v0w7k/_/subscription-success/'],
  [paths.paymentReturn('fi'), '/payment-return/'],
  [paths.subscription('fi', '5n3v0w7k'), '/subscriptions/5n3v0w7k/'],
  [paths.createCampaign('fi'), '/create-campaign/'],
  [paths.myCampaigns('en', { show: 'draft' }), '/en/my-campaigns/?show=draft'],
  [paths.createExperiment('en'), '/en/create-experiment/'],
  [paths.experiments('fi'), '/experiments/'],
  [paths.experiment('fi', { id: 3, slug: 'naapurin-kyyti' }), '/experiments/3/naapurin-kyyti/'],
  [paths.admin('fi', 'experiments'), '/admin/experiments/'],
  [paths.profiles('fi'), '/profiles/'],
  [paths.profile('fi', 'me'), '/profile/me/'],
  [paths.profile('sv', 8), '/sv/profile/8/'],
  [paths.onboardRefresh('fi'), '/profile/me/stripe-onboard/refresh/'],
  [paths.onboardReturn('en'), '/en/profile/me/stripe-onboard/return/'],
  [paths.passwordReset('fi'), '/password-reset/'],
  [paths.forumSignOn('fi'), '/forum/sso/'],
  [paths.recommendations('fi'), '/recommendations/'],
  [paths.info('en', 'pricing'), '/en/info/pricing/'],
  [paths.info('fi', 'start'), '/info/start/'],
])('the published address %s does not change', (address, promised) => {
  expect(address).toBe(promised);
});

test('a query string leaves out empty values', () => {
  expect(query({ keyword: '', offset: undefined, stages: 2 })).toBe('?stages=2');
  expect(query({})).toBe('');
});

test.each([
  ['/12/x/', 'en', '/en/12/x/'],
  ['/en/12/x/', 'fi', '/12/x/'],
  ['/en/12/x/', 'sv', '/sv/12/x/'],
  ['/', 'sv', '/sv/'],
  ['/sv/', 'fi', '/'],
  ['/english/', 'en', '/en/english/'],
] as const)('%s in %s is %s', (from, language, to) => {
  expect(inLanguage(from, language)).toBe(to);
});

test('Finnish has no language prefix', () => {
  expect(splitLanguage('/fi/campaigns/')).toEqual({ language: 'fi', rest: '/fi/campaigns/' });
});
