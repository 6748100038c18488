import { aPreview, inDays } from '../../../../test/builders';
import type { CampaignPreview } from '../../../api/content';
import { countsOf, groupsOf, needsAttention, ownState, readFilter } from './groups';

const work = { review: 'none' as const, done: 4, of: 9, updated_at: inDays(-1), payment_account: true };
const own = (campaign_id: number, overrides: Partial<CampaignPreview> = {}) =>
  aPreview({ campaign_id, work, ...overrides });
const draft = (id: number, review: 'none' | 'requested' | 'changes_requested') =>
  own(id, { stage: 0, work: { ...work, review } });

test.each([
  [draft(1, 'none'), 'draft'],
  [draft(1, 'requested'), 'review'],
  [draft(1, 'changes_requested'), 'changes'],
  [own(1, { stage: 1 }), 'opening'],
  [own(1, { stage: 2 }), 'funding'],
  [own(1, { stage: 6 }), 'monthly'],
  [own(1, { stage: 3 }), 'succeeded'],
  [own(1, { stage: 4 }), 'notReached'],
  [own(1, { stage: 5 }), 'closed'],
])('a campaign’s state follows its stage and its review (%#)', (campaign, state) => {
  expect(ownState(campaign)).toBe(state);
});

const all = [
  own(1, { stage: 3 }),
  draft(2, 'none'),
  own(3, { stage: 2, funding_deadline: inDays(9) }),
  own(4, { stage: 6 }),
  draft(5, 'changes_requested'),
  own(6, { stage: 1 }),
  own(7, { stage: 2, funding_deadline: inDays(2), work: { ...work, payment_account: false } }),
  draft(8, 'requested'),
];

test('groups have a fixed order; in each, what ends first or is the team’s to do comes first', () => {
  const groups = groupsOf(all, 'all').map(({ name, campaigns }) => [
    name,
    campaigns.map((one) => one.campaign_id),
  ]);
  expect(groups).toEqual([
    ['open', [7, 3]],
    ['unfinished', [5, 2, 8, 6]],
    ['monthly', [4]],
    ['ended', [1]],
  ]);
});

test('a filter shows only its campaigns, and has their number', () => {
  expect(groupsOf(all, 'open').flatMap(({ campaigns }) => campaigns.map((one) => one.campaign_id))).toEqual([
    7, 3, 4,
  ]);
  expect(countsOf(all)).toEqual({ all: 8, draft: 2, review: 1, opening: 1, open: 3, ended: 1 });
  expect(readFilter(new URLSearchParams('show=review'))).toBe('review');
  expect(readFilter(new URLSearchParams('show=x'))).toBe('all');
});

test('requested changes and open campaigns without a payout account need attention', () => {
  expect(all.filter(needsAttention).map((one) => one.campaign_id)).toEqual([5, 7]);
});
