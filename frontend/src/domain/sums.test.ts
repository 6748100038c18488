import { partFaults } from '../features/campaigns/create/rules';
import { emptyValues } from '../features/campaigns/create/values';
import { amountFault } from '../features/editing/amount';
import { fromCents } from './amounts';
import { leastCents, sumFault } from './sums';

const goal = (target_goal: string) =>
  partFaults(
    'money',
    { ...emptyValues('fi'), variant: 'guided', target_goal },
    { today: '2026-11-29', day: (day) => day },
  ).target_goal;

// Wherever a sum is typed.
const fields = {
  'a pledge': (typed: string) => sumFault(typed, leastCents, fromCents),
  'a goal of a new campaign': goal,
  'an amount of the editor': amountFault,
};

test.each(Object.entries(fields))('%s: a number out of its bounds is told its bound', (_, faultOf) => {
  for (const typed of ['-5', '−5', '– 5,50 €', '-99999999999'])
    expect([typed, faultOf(typed)?.key]).toEqual([typed, 'minValue']);
  for (const typed of ['99999999999', '1 000 000 000 €', '9999999999,50'])
    expect([typed, faultOf(typed)?.key]).toEqual([typed, 'atMost']);
  for (const typed of ['x', '1e9', '5,555', '1.2.3', '99999999999x'])
    expect([typed, faultOf(typed)?.key]).toEqual([typed, 'decimal']);
  expect(faultOf('1 000,50 €')).toBeUndefined();
});
