import { campaignState, isWithoutSupporters, missing, percentOf, stepsOf } from './rules';
import { aPreview, someSubscriptions } from '../../../test/builders';
import { now } from '../../../test/clock';

const before = '2026-11-20T11:59:59Z';
const after = '2026-11-20T12:00:01Z';

test.each([
  [1, after, 'preparing'],
  [2, after, 'open'],
  [2, undefined, 'open'],
  [2, before, 'over'],
  [3, before, 'succeeded'],
  [4, before, 'notReached'],
  [5, after, 'closed'],
  [6, undefined, 'monthly'],
] as const)('stage %s with the deadline %s is %s', (stage, funding_deadline, state) => {
  expect(campaignState({ stage, funding_deadline }, now)).toBe(state);
});

test.each([
  [18_420, 24_000, 77, 5_580],
  [23_999, 24_000, 99, 1],
  [24_000, 24_000, 100, undefined],
  [31_640, 28_000, 113, undefined],
  [0, 24_000, 0, 24_000],
])('%s raised of %s is %s %%, and %s is missing', (funding_reached, target_goal, percent, lacks) => {
  const campaign = aPreview({ funding_reached, target_goal });
  expect(percentOf(campaign)).toBe(percent);
  expect(missing(campaign)).toBe(lacks);
});

test('of a hidden sum, what is missing is not calculated', () => {
  expect(missing(aPreview({ hide_funding_amount: true, funding_reached: 0 }))).toBeUndefined();
});

test.each([
  [0, ['next', 'later'], [0, 0]],
  [50, ['next', 'later'], [0.5, 0]],
  [100, ['reached', 'next'], [1, 0]],
  [155, ['reached', 'next'], [1, 0.5]],
  [210, ['reached', 'reached'], [1, 1]],
])('with %s supporters the goals are %s', (reached, states, shares) => {
  const steps = stepsOf(someSubscriptions(), reached);
  expect(steps.map(({ title }) => title)).toEqual(['Sali', 'Piano']);
  expect(steps.map(({ state }) => state)).toEqual(states);
  expect(steps.map(({ share }) => share)).toEqual(shares);
});

test.each([
  ['nobody', 0, false, true],
  ['somebody', 1, false, false],
  ['a hidden count, which the API returns as 0', 0, true, false],
])(
  'a monthly campaign with %s (%i, hidden: %s) is without supporters: %s',
  (_, count, hide_member_count, isWithout) => {
    const subscriptions = someSubscriptions({ subscriptions_subscribers_count: count });
    expect(isWithoutSupporters(aPreview({ stage: 6, subscriptions, hide_member_count }))).toBe(isWithout);
  },
);
