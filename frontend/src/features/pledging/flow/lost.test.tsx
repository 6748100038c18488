import { aPayment, aPledge } from '../../../../test/builders';
import { aHarness, end, lost, order, other, refused, type Harness } from '../../../../test/submission';
import type { Payment } from '../../../api/payments';
import type { CardOutcome } from '../card/outcome';
import { underWay } from './lookUp';
import { contentOf, type Order } from './order';
import type { Ports } from './ports';

beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => {
  window.sessionStorage.clear();
  jest.restoreAllMocks();
});

const complete = () => Promise.resolve('complete' as const);
const cardThat = (outcome: CardOutcome) => ({ check: complete, confirm: () => Promise.resolve(outcome) });
const unclear = cardThat({ kind: 'unclear' });
const broken = { check: complete, confirm: () => Promise.reject(new Error('broken')) };
const loses = () => Promise.resolve(lost);
const isDown = () => Promise.resolve(refused('unavailable', 503));

/** A submission that stops at one step, whose answer is lost; look-ups find what `answer` says. */
interface Step {
  ports: Partial<Ports>;
  what?: Order;
  /** Something that was submitted before. */
  before?: (harness: Harness) => void;
}

const earlier = ({ ports }: Harness) => {
  ports.submissions.begin(contentOf(other));
  ports.submissions.made('earlier');
};

const steps: Record<string, Step> = {
  'the release of an earlier pledge': { ports: { releasePledge: loses }, before: earlier },
  'the look at an earlier pledge': { ports: {}, before: earlier },
  'the set-up': { ports: { setUp: loses } },
  'a set-up that broke down': { ports: { setUp: isDown } },
  'the confirmation': { ports: { card: unclear } },
  'the app itself, while the card is confirmed': { ports: { card: broken } },
  'the payment page': { ports: { openPage: loses }, what: { ...order, method: 'page' } },
  'a payment page that broke down': { ports: { openPage: isDown }, what: { ...order, method: 'page' } },
};

describe.each(Object.entries(steps))(
  'when the answer is lost of %s',
  (_, { ports, what = order, before }) => {
    const start = async (answer: { payment: Ports['payment'] }) => {
      const harness = aHarness({ ...ports, payment: (id) => answer.payment(id) });
      before?.(harness);
      harness.press(what);
      return { harness, state: await end(harness) };
    };
    const found = (status: Payment['status'], failure_code?: Payment['failure_code']) => ({
      data: aPayment({ status, failure_code }),
    });

    test.each([
      ['lost too', loses],
      ['a server that is down', isDown],
      ['a refusal to say', () => Promise.resolve(refused('too_many_requests', 429))],
    ])(
      'and the look-up is %s, it is unknown, and stays so however often it is asked',
      async (_name, payment) => {
        const { harness, state } = await start({ payment });
        expect(state.name).toBe('unknown');
        for (let times = 0; times < 3; times += 1) {
          await harness.askAgain();
          expect(harness.state().name).toBe('unknown');
        }
        // Nothing is paid meanwhile.
        const paying = harness.calls.filter((call) => /^(createPledge|setUp|openPage)/.test(call)).length;
        harness.press(what);
        await harness.askAgain();
        expect(harness.calls.filter((call) => /^(createPledge|setUp|openPage)/.test(call))).toHaveLength(
          paying,
        );
      },
    );

    test.each(['succeeded', 'processing', 'disputed', 'partly_refunded'] as const)(
      'and it was charged (%s), the page goes on to the thanks, also when that is known later',
      async (status) => {
        expect((await start({ payment: () => Promise.resolve(found(status)) })).state.name).toBe('succeeded');
        window.sessionStorage.clear();
        const answer = { payment: loses as Ports['payment'] };
        const { harness } = await start(answer);
        answer.payment = () => Promise.resolve(found(status));
        await harness.askAgain();
        expect(harness.state().name).toBe('succeeded');
      },
    );

    test('and it was not charged, only that is said once it is known', async () => {
      const answer = { payment: loses as Ports['payment'] };
      const { harness } = await start(answer);
      answer.payment = () => Promise.resolve(found('canceled'));
      await harness.askAgain();
      expect(harness.state().name).toBe('failed');
    });
  },
);

test('a lost pledge is asked for again with the same key, which makes no second one', async () => {
  let isLost = true;
  const harness = aHarness({
    createPledge: (_order, key) => Promise.resolve(isLost ? lost : { data: aPledge({ pledge_id: key }) }),
  });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ name: 'unknown', doubt: { about: 'pledge', amount: 45 } });
  await harness.askAgain();
  expect(harness.state().name).toBe('unknown');
  isLost = false;
  await harness.askAgain();
  expect(harness.state()).toMatchObject({ name: 'failed', failure: { error: { status: 'not_charged' } } });
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'key-1' });
  const keys = harness.calls.filter((call) => call.startsWith('createPledge'));
  expect(new Set(keys)).toEqual(new Set(['createPledge key-1']));
});

test('a lost pledge that another tab has paid leads to the thanks, and one that is refused says why', async () => {
  const answers = [lost, lost, { data: aPledge({ pledge_id: 'p', status: 'paid' }) }];
  const paid = aHarness({ createPledge: () => Promise.resolve(answers.shift() ?? lost) });
  paid.press(order);
  await end(paid);
  await paid.askAgain();
  expect(paid.state()).toEqual({ name: 'succeeded', pledgeId: 'p' });
  window.sessionStorage.clear();

  const gone = [lost, refused('reward_gone')];
  const late = aHarness({ createPledge: () => Promise.resolve(gone.shift() ?? lost) });
  late.press(order);
  expect(await end(late)).toMatchObject({ name: 'failed', failure: { error: { status: 'reward_gone' } } });
  expect(late.ports.submissions.current()).toBeUndefined();
});

test('a payment that is open just after its answer was lost may still come through, so it is looked at again', async () => {
  const polls: Payment['status'][] = ['created', 'succeeded'];
  const harness = aHarness({
    card: unclear,
    payment: () => Promise.resolve({ data: aPayment({ status: polls.shift() }) }),
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('succeeded');
  expect(harness.calls).toContain(`wait ${underWay}`);
});

test('what a bank refused is said at once', async () => {
  const harness = aHarness({
    card: unclear,
    payment: () => Promise.resolve({ data: aPayment({ status: 'created', failure_code: 'expired_card' }) }),
  });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'expired_card' } } });
  expect(harness.calls.filter((call) => call.startsWith('wait'))).toEqual([]);
});

describe('what was under way is remembered by the browser', () => {
  test.each([
    [
      'the card is being confirmed',
      { card: { check: complete, confirm: () => new Promise<never>(() => undefined) } },
      order,
    ],
    ['nothing is known', { card: unclear, payment: loses }, order],
    ['the payment page is open', {}, { ...order, method: 'page' as const }],
  ])('while %s', async (_, ports, what) => {
    const harness = aHarness(ports);
    harness.press(what);
    while (!['confirming', 'unknown', 'redirecting'].includes(harness.state().name))
      await new Promise((resolve) => setTimeout(resolve));
    expect(aHarness().ports.submissions.leftUnderWay()).toMatchObject({
      pledgeId: 'pledge-of-key-1',
      amount: 45,
    });
  });

  test.each<[string, CardOutcome, Ports['payment']]>([
    ['a card was refused', { kind: 'refused', status: 'card_declined' }, loses],
    ['the form was incomplete', { kind: 'incomplete' }, loses],
    [
      'it is known to be unpaid',
      { kind: 'unclear' },
      () => Promise.resolve({ data: aPayment({ status: 'created' }) }),
    ],
    ['it has ended', { kind: 'unclear' }, () => Promise.resolve({ data: aPayment({ status: 'canceled' }) })],
  ])('but not once %s', async (_, outcome, payment) => {
    const harness = aHarness({ card: cardThat(outcome), payment });
    harness.press(order);
    await end(harness);
    expect(harness.ports.submissions.leftUnderWay()).toBeUndefined();
  });
});
