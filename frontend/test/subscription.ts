import { http, HttpResponse } from 'msw';
import type { Subscription as Paying } from '../src/api/subscriptionPayments';
import type { NewSubscription, SpendingLimit, Subscription } from '../src/api/subscriptions';
import { aCampaign, aPayment, aPreview, aReward, someSubscriptions } from './builders';
import { content, payments, refusal, server } from './server';

/** The id of the tests' subscription. */
export const id = '01JD0000000000000000000009';

/** The levels of the tests' monthly campaign. */
export const levels = [
  aReward({ reward_id: 1, amount: 4, title: 'Nuottien lukija', description: 'Kauden laulut nuotteina.' }),
  aReward({ reward_id: 2, amount: 7, title: 'Toinen rivi', description: 'Nuotit ja kaksi äänitettä.' }),
  aReward({ reward_id: 3, amount: 15, title: 'Eturivi', description: 'Kaikki ja oma paikka.' }),
];

/** The tests' monthly campaign. */
export const monthlyCampaign = aCampaign({
  stage: 6,
  title: 'Kuoro',
  subscriptions: someSubscriptions(),
  subscriptions_reached: 184,
});

/** What the content service knows: a support of 7 € a month with one receipt. */
export function aRecord(overrides: Partial<Subscription> = {}): Subscription {
  return {
    subscription_id: id,
    campaign_id: 3,
    reward_id: 2,
    reward_title: 'Toinen rivi',
    status: 'active',
    amount: 7,
    currency: 'EUR',
    email: 'leena@example.fi',
    first_name: 'Leena',
    last_name: 'Hakkarainen',
    name_shown: 'full_name',
    hide_amount: false,
    begun_on: '2026-10-20',
    next_charge_on: '2026-12-20',
    charges: [
      {
        period: 2,
        day: '2026-11-20',
        amount: 7,
        amount_refunded: 0,
        vat_included: 0.83,
        status: 'paid',
        receipt_number: 'TM-2026-001184',
        payment_method: 'Visa ···· 4242',
      },
      {
        period: 1,
        day: '2026-10-20',
        amount: 7,
        amount_refunded: 0,
        vat_included: 0.83,
        status: 'paid',
        receipt_number: 'TM-2026-000967',
        payment_method: 'Visa ···· 4242',
      },
    ],
    campaign: aPreview({ stage: 6, title: 'Kuoro' }),
    ...overrides,
  };
}

/** What the payment service knows: two months are paid, the third is next. */
export function aPaying(overrides: Partial<Paying> = {}): Paying {
  const charge = {
    status: 'paid' as const,
    amount_minor: 700,
    amount_refunded_minor: 0,
    method: 'Visa ···· 4242',
  };
  return {
    id,
    projectId: 3,
    status: 'active',
    meta: { language: 'fi' },
    level: {
      amount_minor: 700,
      reward: {
        reward_id: 2,
        title: { fi: 'Toinen rivi', en: 'Second row' },
        description: { fi: 'Nuotit ja kaksi äänitettä.' },
      },
    },
    currency: 'EUR',
    anchor_day: '2026-10-20',
    next_charge: { period: 3, day: '2026-12-20', amount_minor: 700 },
    paid_until: '2026-12-19',
    notify_before: true,
    card: { label: 'Visa ···· 4242', expires: '2029-09' },
    charges: [
      { ...charge, period: 2, day: '2026-11-20', tries: 2 },
      { ...charge, period: 1, day: '2026-10-20', tries: 1 },
    ],
    months: [
      { period: 1, day: '2026-10-20', state: 'paid', amount_minor: 700 },
      { period: 2, day: '2026-11-20', state: 'paid', amount_minor: 700 },
      { period: 3, day: '2026-12-20', state: 'next', amount_minor: 700 },
      { period: 4, day: '2027-01-20', state: 'coming', amount_minor: 700 },
    ],
    ...overrides,
  };
}

/** December has failed: one try was made, four are to come. */
export const failed: Partial<Paying> = {
  next_charge: undefined,
  due: {
    period: 3,
    day: '2026-12-20',
    amount_minor: 700,
    tries: ['2026-12-20'],
    coming_tries: ['2026-12-21', '2026-12-23', '2026-12-25', '2026-12-27'],
    gives_up_on: '2026-12-28',
  },
};

/** The first month is paid, and its bank confirms it later. */
export const settling: Partial<Paying> = {
  status: 'created',
  anchor_day: undefined,
  next_charge: undefined,
  paid_until: undefined,
  card: undefined,
  months: [],
  charges: [
    { period: 1, day: '2026-11-20', status: 'processing', amount_minor: 700, amount_refunded_minor: 0 },
  ],
  due: {
    period: 1,
    day: '2026-11-20',
    amount_minor: 700,
    tries: [],
    coming_tries: [],
    payment: aPayment({ status: 'processing', amount_minor: 700 }),
  },
};

/** December is paid as well. */
export function aPaidDecember(): Paying {
  const { charges, ...rest } = aPaying();
  return { ...rest, charges: [{ ...charges[0]!, period: 3, day: '2026-12-20' }, ...charges] };
}

/** The subscriptions that were made, and the changes that were asked for, as method, path and body. */
export interface SentMonthly {
  made: { key: string | null; body: NewSubscription }[];
  changes: [string, unknown][];
}

/** Serves a monthly campaign and a subscription, whose states a test moves on with `paying`. */
export function serveMonthly(paying: Paying = aPaying(), record: Subscription = aRecord()) {
  const sent: SentMonthly = { made: [], changes: [] };
  const state = { paying, record };
  const change = async ({ request, params }: { request: Request; params: { call?: unknown } }) => {
    const text = await request.text();
    sent.changes.push([`${request.method} ${String(params.call)}`, text ? JSON.parse(text) : undefined]);
    return HttpResponse.json({ subscription: state.paying });
  };
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: monthlyCampaign, acl: ['view'] }),
    ),
    http.get(content('/campaigns/3/rewards/:language/'), () => HttpResponse.json({ rewards: levels })),
    http.get(content('/users/me/address/'), () => HttpResponse.json({})),
    http.post(content('/campaigns/3/subscriptions/'), async ({ request }) => {
      const body = (await request.json()) as NewSubscription;
      sent.made.push({ key: request.headers.get('Idempotency-Key'), body });
      return HttpResponse.json(
        { subscription: { ...state.record, status: 'created', charges: [] } },
        { status: 201 },
      );
    }),
    http.post(content('/v2/subscriptions/:id/'), async ({ request }) => {
      sent.changes.push(['POST correction', await request.json()]);
      return HttpResponse.json({ subscription: { ...state.record, status: 'created', charges: [] } });
    }),
    http.get(content('/v2/subscriptions/:id/'), () => HttpResponse.json({ subscription: state.record })),
    http.get(payments('/api/subscriptions/:id'), () => HttpResponse.json({ subscription: state.paying })),
    http.get(payments('/api/subscriptions/:id/payment'), () =>
      HttpResponse.json({ subscription: state.paying }),
    ),
    http.post(payments('/api/subscriptions/:id/setup'), ({ params }) =>
      HttpResponse.json({
        stripe: {
          payment_intent: { id: 'pi', client_secret: `secret-of-${String(params.id)}` },
          publishable_key: 'pk_test_1',
        },
        subscription: state.paying,
      }),
    ),
    http.post(payments('/api/subscriptions/:id/card'), () =>
      HttpResponse.json({
        stripe: {
          setup_intent: { id: 'seti_1', client_secret: 'secret-of-card' },
          publishable_key: 'pk_test_1',
        },
      }),
    ),
    http.put(payments('/api/subscriptions/:id/:call'), change),
    http.post(payments('/api/subscriptions/:id/:call'), change),
  );
  return { sent, state };
}

/** The services' refusal of what would cross the spending limit in December. Sums are in minor units. */
export const overLimit = (limitMinor: number, totalMinor: number) =>
  refusal('spending_limit_exceeded', 409, {
    params: { currency: 'EUR', limit_minor: limitMinor, total_minor: totalMinor, month: '2026-12' },
  });

/** Serves the limits, which the calls change, and lists what was asked. */
export function serveLimits(...limits: SpendingLimit[]) {
  const sent: unknown[] = [];
  const state = { limits };
  const answer = () => HttpResponse.json({ spending_limits: state.limits });
  server.use(
    http.get(content('/users/me/spending-limits/'), answer),
    http.put(content('/users/me/spending-limits/:currency/'), async ({ params, request }) => {
      const choice = (await request.json()) as Omit<SpendingLimit, 'currency'>;
      sent.push(['PUT', params.currency, choice]);
      state.limits = [{ currency: String(params.currency), ...choice }];
      return answer();
    }),
    http.delete(content('/users/me/spending-limits/:currency/'), ({ params }) => {
      sent.push(['DELETE', params.currency]);
      state.limits = [];
      return answer();
    }),
  );
  return sent;
}

/** A limit in euros. */
export const limited = (amount: number, countsPledges = false): SpendingLimit => ({
  currency: 'EUR',
  amount,
  counts_pledges: countsPledges,
});
