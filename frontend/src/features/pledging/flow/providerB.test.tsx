import { aPayment } from '../../../../test/builders';
import { anAccount, aPayIn } from '../../../../test/providerB';
import { aHarness, anOwnCard, aProviderB, end, lost, order, refused } from '../../../../test/submission';
import type { Payment } from '../../../api/payments';
import type { Order } from './order';
import type { Charge, ProviderB } from './ports';
import { resultOf, resultReasons } from './results';

beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => {
  window.sessionStorage.clear();
  jest.restoreAllMocks();
});

const byCard: Order = { ...order, method: 'ownCard', isKept: false };
const byKept: Order = { ...order, method: 'keptCard', cardId: 'card_kept' };
const typedAccount = {
  OwnerName: 'A B',
  OwnerAddress: { AddressLine1: 'Opintie 14', City: 'Pielavesi', PostalCode: '72400', Country: 'FI' },
  IBAN: 'FI2112345600000785',
};
const byBank: Order = { ...order, method: 'bank', account: { kind: 'new', account: typedAccount } };
const pledgeId = 'pledge-of-key-1';

/** A submission at provider B; `calls` has the provider's calls in order, and what cards were charged with. */
async function run(what: Order, changes: Partial<ProviderB> = {}, payment?: Payment['status']) {
  const calls: string[] = [];
  const charges: Charge[] = [];
  const all = aProviderB(changes);
  const noted = Object.fromEntries(
    Object.entries(all).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        calls.push(name);
        if (name === 'charge') charges.push(args[0] as Charge);
        return (call as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as ProviderB;
  const ownCard = anOwnCard();
  const shown = jest.fn();
  const cleared = jest.spyOn(ownCard, 'clear');
  const harness = aHarness({
    providerB: noted,
    ownCard: { ...ownCard, show: shown },
    payment: () =>
      Promise.resolve(payment ? { data: aPayment({ status: payment }) } : refused('not_found', 404)),
  });
  harness.press(what);
  const state = await end(harness);
  return { harness, state, calls, charges, ownCard, shown, cleared };
}

test('a card is registered, then charged with the sum in cents, its payer and the campaign’s wallet', async () => {
  const { state, calls, charges } = await run(byCard);
  expect(state).toEqual({ name: 'succeeded', pledgeId });
  expect(calls).toEqual(['registration', 'finish', 'charge']);
  expect(charges).toEqual([
    { pledgeId, cardId: 'card_1', authorId: 'user_payer', creditedWalletId: 'wlt_campaign', amount: 4500 },
  ]);
});

test('a registered card is charged again without being sent anew', async () => {
  const payIns = [aPayIn({ Status: 'FAILED', ResultCode: '101410' })];
  const first = await run(byCard, { charge: () => Promise.resolve({ data: payIns.shift() ?? aPayIn() }) });
  expect(first.state).toMatchObject({ failure: { error: { code: 'card_not_active' } } });
  first.harness.press(byCard);
  expect((await end(first.harness)).name).toBe('succeeded');
  expect(first.calls.filter((call) => call === 'finish')).toHaveLength(1);
  expect(first.charges.map(({ cardId }) => cardId)).toEqual(['card_1', 'card_1']);
});

test('a kept card is charged without a card being typed', async () => {
  const { state, calls, charges } = await run(byKept);
  expect(state.name).toBe('succeeded');
  expect(calls).toEqual(['registration', 'charge']);
  expect(charges[0]).toMatchObject({ cardId: 'card_kept', amount: 4500 });
});

// The list of the specification: which codes there are, and of which the card is cleared.
const meanings: Record<string, [string, boolean]> = {
  '101105': ['card_expired', true],
  '02624': ['card_expired', false],
  '101410': ['card_not_active', false],
  '01902': ['this_card_is_not_active', false],
  '009499': ['bank_technical_error', true],
  '009199': ['psp_technical_error', true],
  '009103': ['psp_configuration_error', true],
  '008006': ['fraud_suspected_by_the_bank', true],
  '008005': ['security_violation', true],
  '101115': ['debit_limit_exceeded', true],
  '101111': ['maximum_number_of_attempts_reached', true],
  '101104': ['card_limit_reached', true],
  '101199': ['transaction_refused_by_bank', true],
  '101103': ['transaction_refused_by_the_terminal', true],
  '101102': ['amount_limit', true],
  '101101': ['do_not_honor', true],
  '105103': ['invalid_pin_code', true],
  '105101': ['invalid_card_number', true],
  '001013': ['invalid_transaction_amount', true],
  '105202': ['card_number_format_error', false],
  '105203': ['card_date_format_error', false],
  '105204': ['card_cvv_format_error', false],
  '999999': ['generic', false],
};

test('the result codes are those of the specification, each with its reason', () => {
  for (const [code, [reason, clearsCard]] of Object.entries(meanings))
    expect([code, resultOf(code)]).toEqual([code, { reason, clearsCard }]);
  expect(new Set(Object.values(meanings).map(([reason]) => reason))).toEqual(
    new Set([...resultReasons, 'generic']),
  );
});

describe.each(Object.entries(meanings).filter(([code]) => !code.startsWith('10520')))(
  'a pay-in that fails with %s',
  (code, [reason, clears]) => {
    const charge = () => Promise.resolve({ data: aPayIn({ Status: 'FAILED', ResultCode: code }) });
    const says = reason === 'generic' ? { status: 'generic' } : { code: reason };

    test(`says ${reason}, and ${clears ? 'clears' : 'keeps'} the card`, async () => {
      const { state, cleared, ownCard, harness } = await run(byCard, { charge });
      expect(state).toMatchObject({ name: 'failed', failure: { at: 'payment', error: says } });
      expect(cleared).toHaveBeenCalledTimes(clears ? 1 : 0);
      expect(ownCard.registered()?.cardId).toBe(clears ? undefined : 'card_1');
      expect(harness.ports.submissions.leftUnderWay()).toBeUndefined();
    });

    test(`${clears ? 'drops' : 'keeps'} a kept card`, async () => {
      const { harness } = await run(byKept, { charge });
      expect(harness.calls.includes('dropCard card_kept')).toBe(clears);
    });
  },
);

test.each([
  ['105202', { number: '105202' }],
  ['105203', { date: '105203' }],
  ['105204', { cvc: '105204' }],
])('a registration that fails with %s is said at its field', async (code, faults) => {
  const { state, shown, charges } = await run(byCard, {
    finish: () => Promise.resolve({ data: { ResultCode: code } }),
  });
  expect(state.name).toBe('invalid');
  expect(shown).toHaveBeenCalledWith(faults);
  expect(charges).toEqual([]);
});

test('a bank that wants to be asked is left for, and the payment is remembered as under way', async () => {
  const url = 'https://bank.example/3ds';
  const { harness, state } = await run(byCard, {
    charge: () =>
      Promise.resolve({
        data: aPayIn({ Status: 'CREATED', SecureModeNeeded: true, SecureModeRedirectURL: url }),
      }),
  });
  expect(state).toEqual({ name: 'redirecting', url, isBank: true });
  expect(harness.calls).toContain(`leaveFor ${url}`);
  expect(harness.ports.submissions.leftUnderWay()).toMatchObject({ pledgeId, amount: 45 });
});

test.each([
  ['succeeded with another code', aPayIn({ ResultCode: '000001' })],
  ['is under way and its bank asks nothing', aPayIn({ Status: 'CREATED' })],
])('a pay-in that %s is not taken for paid: the service is asked', async (_, payIn) => {
  const charge = () => Promise.resolve({ data: payIn });
  expect((await run(byCard, { charge }, 'succeeded')).state.name).toBe('succeeded');
  window.sessionStorage.clear();
  expect((await run(byCard, { charge }, 'created')).state).toMatchObject({
    failure: { error: { status: 'not_charged' } },
  });
});

test('an account is made known, its mandate made, and its bank’s page opened; nothing is debited here', async () => {
  const addAccount = jest.fn(() => Promise.resolve({ data: anAccount() }));
  const mandate = jest.fn(aProviderB().mandate);
  const { harness, state, calls } = await run(byBank, { addAccount, mandate });
  expect(state).toEqual({ name: 'redirecting', url: 'https://bank.example/1', isBank: true });
  expect(addAccount).toHaveBeenCalledWith(pledgeId, typedAccount);
  expect(mandate).toHaveBeenCalledWith(pledgeId, 'acc_1');
  expect(calls).not.toContain('debit');
  expect(harness.ports.submissions.leftUnderWay()).toBeUndefined();
});

test.each(['SUBMITTED', 'ACTIVE'] as const)(
  'an account with a mandate that is %s is debited at once',
  async (Status) => {
    const debit = jest.fn(aProviderB().debit);
    const known: Order = { ...order, method: 'bank', account: { kind: 'known', id: 'acc_9' } };
    const { state, calls } = await run(known, {
      mandate: () => Promise.resolve({ data: { Id: 'mdt_9', Status } }),
      debit,
    });
    expect(state).toEqual({ name: 'succeeded', pledgeId, isDebit: true });
    expect(calls).toEqual(['mandate', 'debit']);
    expect(debit).toHaveBeenCalledWith(pledgeId, 'mdt_9');
  },
);

test.each(['FAILED', 'EXPIRED'] as const)('a mandate that is %s debits nothing', async (Status) => {
  const { state, calls } = await run(byBank, {
    mandate: () => Promise.resolve({ data: { Id: 'mdt_1', Status } }),
  });
  expect(state).toMatchObject({ failure: { error: { status: 'mandate_not_confirmed' } } });
  expect(calls).not.toContain('debit');
});

test.each([
  ['one is chosen, when there are any', [anAccount()], 'choose_account'],
  ['one is typed, when there are none', [], 'no_account'],
] as const)(
  'accounts that were used before are asked for once there is a pledge: %s',
  async (_, list, status) => {
    const earlier: Order = { ...order, method: 'bank', account: undefined };
    const { state, calls } = await run(earlier, { accounts: () => Promise.resolve({ data: list }) });
    expect(state).toMatchObject({ name: 'failed', failure: { error: { status } } });
    expect(calls).toEqual(['accounts']);
  },
);

describe('an answer that is lost is unknown, not refused', () => {
  const loses = () => Promise.resolve(lost);
  const usable = () => Promise.resolve({ data: { Id: 'mdt_1', Status: 'ACTIVE' as const } });
  test.each<[string, Order, Partial<ProviderB>]>([
    ['the registration’s beginning', byCard, { registration: loses }],
    ['the registration’s end', byCard, { finish: loses }],
    ['the pay-in', byCard, { charge: loses }],
    ['the pay-in of a kept card', byKept, { charge: loses }],
    ['an account', byBank, { addAccount: loses }],
    ['the mandate', byBank, { mandate: loses }],
    ['the debit', byBank, { mandate: usable, debit: loses }],
  ])('%s', async (_, what, changes) => {
    const harness = aHarness({ providerB: aProviderB(changes), payment: loses });
    harness.press(what);
    expect(await end(harness)).toMatchObject({ name: 'unknown', doubt: { about: 'payment', pledgeId } });
    await harness.askAgain();
    expect(harness.state().name).toBe('unknown');
    window.sessionStorage.clear();
    const paid = await run(what, changes, 'succeeded');
    expect(paid.state.name).toBe('succeeded');
    window.sessionStorage.clear();
    expect((await run(what, changes)).state).toMatchObject({ failure: { error: { status: 'not_charged' } } });
  });

  test('what the provider was sent straight from the browser', async () => {
    const harness = aHarness({ ownCard: { ...anOwnCard(), register: loses }, payment: loses });
    harness.press(byCard);
    expect((await end(harness)).name).toBe('unknown');
  });
});

test('what is in doubt holds no account number', async () => {
  const harness = aHarness({ createPledge: () => Promise.resolve(lost) });
  harness.press(byBank);
  expect((await end(harness)).name).toBe('unknown');
  expect(JSON.stringify(harness.store.getState())).not.toContain('FI21');
});
