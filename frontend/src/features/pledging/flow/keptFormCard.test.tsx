import { aHarness, end, order, refused } from '../../../../test/submission';
import type { CardOutcome } from '../card/outcome';
import type { Order } from './order';
import type { Ports } from './ports';

afterEach(() => window.sessionStorage.clear());

const { campaignId, newPledge } = order;
const kept: Order = { campaignId, newPledge, method: 'keptFormCard', cardId: 'pm_1' };
const ticked: Order = { campaignId, newPledge, method: 'card', isKept: true };

test('a kept card of provider A is set up by its id and charged without the form', async () => {
  const asked: unknown[] = [];
  const harness = aHarness({
    setUp: (id, card) => {
      asked.push(card);
      return Promise.resolve({ data: { clientSecret: `secret-of-${id}` } });
    },
    confirmKept: (secret, _, cardId) => {
      asked.push([secret, cardId]);
      return Promise.resolve({ kind: 'paid' });
    },
  });
  harness.press(kept);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
  expect(asked).toEqual([{ card_id: 'pm_1' }, ['secret-of-pledge-of-key-1', 'pm_1']]);
});

test.each<[string, Partial<Ports>, boolean]>([
  ['is kept no longer', { setUp: () => Promise.resolve(refused('not_found', 404)) }, true],
  ['has expired', { confirmKept: () => Promise.resolve({ kind: 'refused', status: 'expired_card' }) }, true],
  ['is refused', { confirmKept: () => Promise.resolve({ kind: 'refused', status: 'card_declined' }) }, false],
])('one that %s says that another is needed', async (_, ports, isDropped) => {
  const dropped: string[] = [];
  const harness = aHarness({ dropCard: (id) => void dropped.push(id), ...ports });
  harness.press(kept);
  expect(await end(harness)).toMatchObject({
    name: 'failed',
    failure: { error: { status: 'card_declined' } },
  });
  expect(dropped).toEqual(isDropped ? ['pm_1'] : []);
});

test('whoever asks for the card to be kept after a refusal gets another set-up of the same pledge', async () => {
  const wanted: unknown[] = [];
  const outcomes: CardOutcome[] = [{ kind: 'refused', status: 'card_declined' }];
  const harness = aHarness({
    card: {
      check: () => Promise.resolve('complete'),
      confirm: () => Promise.resolve(outcomes.shift() ?? { kind: 'paid' }),
    },
    setUp: (id, card) => {
      wanted.push([id, card]);
      return Promise.resolve({ data: { clientSecret: 'secret' } });
    },
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('awaitingCard');
  harness.press(ticked);
  expect((await end(harness)).name).toBe('succeeded');
  expect(wanted).toEqual([
    ['pledge-of-key-1', {}],
    ['pledge-of-key-1', { keep: true }],
  ]);
});
