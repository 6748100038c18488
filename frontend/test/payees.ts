import { http, HttpResponse } from 'msw';
import type { Payee, Payout, PayoutBank } from '../src/api/payees';
import { aUser } from './builders';
import { renderAt, type RenderOptions } from './render';
import { content, payments, refusal, server } from './server';

/** An account that can be paid to. */
export function aPayee(overrides: Partial<Payee> = {}): Payee {
  return {
    provider: 'mangopay',
    type: 'natural',
    state: 'ready',
    account_id: 'user_m_1',
    wallet_id: 'wlt_m_1',
    needs: [],
    looked_at: '2026-11-20T10:00:00Z',
    ...overrides,
  };
}

/** A bank account that is in use. */
export const aBank = (overrides: Partial<PayoutBank> = {}): PayoutBank => ({
  bank_id: '01JDBANK00000000000000000A',
  country: 'FI',
  last_four: '0785',
  state: 'active',
  name_check: 'match',
  added_at: '2026-11-10T10:00:00Z',
  pays_from: '2026-11-10T10:05:00Z',
  has_failed: false,
  ...overrides,
});

/** An account at provider A. */
export const aPayeeAtA = (overrides: Partial<Payee> = {}): Payee => ({
  ...aPayee({ provider: 'stripe', account_id: 'acct_1', ...overrides }),
  wallet_id: undefined,
});

/** What the payment service was asked about the accounts. */
export interface ServedPayees {
  /** What it answers from now on. */
  payees: readonly Payee[];
  payouts: readonly Payout[];
  reads: number;
  /** The bodies of orders and of the ways to the partner's page. */
  sent: unknown[];
  /** Whether there is something to do at provider A. */
  hasStep: boolean;
}

/** Where the partner goes on. */
export const partner = 'https://partner.example/sca?id=1';

/** Fakes the payment service's side of the page: the accounts, and the partner's page for every order. */
export function servePayees(...payees: Payee[]): ServedPayees {
  const state: ServedPayees = { payees, payouts: [], reads: 0, sent: [], hasStep: true };
  const lead = async ({ request }: { request: Request }) => {
    state.sent.push(await request.json());
    const payee = state.payees[0] ?? aPayee({ state: 'begun' });
    return HttpResponse.json({ userId: 'user_m_1', walletId: 'wlt_m_1', redirectUrl: partner, payee });
  };
  server.use(
    http.get(payments('/api/users/me/tax-data'), () =>
      HttpResponse.json({ is_asked: false, version: 0, missing: [], is_held: false }),
    ),
    http.get(payments('/api/users/me/payouts'), () => HttpResponse.json({ payouts: state.payouts })),
    http.get(payments('/api/users/me/payees'), () => {
      state.reads += 1;
      return HttpResponse.json({ payees: state.payees });
    }),
    http.post(payments('/api/users/stripe/onboard'), async ({ request }) => {
      state.sent.push(await request.json());
      return HttpResponse.json({ account: { id: 'acct_1' }, payee: aPayeeAtA({ state: 'begun' }) });
    }),
    http.post(payments('/api/users/stripe/onboard/:id'), async ({ request, params }) => {
      state.sent.push({ link: params.id, ...((await request.json()) as object) });
      return HttpResponse.json({ stripeAccountLink: state.hasStep ? { url: partner } : {} });
    }),
    http.post(payments('/api/users/stripe/onboard/:id/update'), ({ params }) => {
      state.sent.push({ update: params.id });
      return HttpResponse.json({ account: { id: 'acct_1' }, payee: aPayeeAtA() });
    }),
    http.post(payments('/api/users/mangopay/create-creator-account'), lead),
    http.post(payments('/api/users/mangopay/verification'), lead),
    http.get(payments('/api/users/mangopay/payout-banks/fields'), ({ request }) => {
      const isAbroad = new URL(request.url).searchParams.get('country') === 'EE';
      const names = [
        'first_name',
        'last_name',
        'AddressLine1',
        'City',
        'PostalCode',
        ...(isAbroad ? ['Region'] : []),
      ];
      return HttpResponse.json({ fields: names.map((name) => ({ name, is_required: true })) });
    }),
    http.post(payments('/api/users/mangopay/payout-banks'), async ({ request }) => {
      state.sent.push(await request.json());
      return HttpResponse.json({ bank: aBank({ state: 'pending' }), redirectUrl: partner });
    }),
    http.post(payments('/api/users/mangopay/payout-banks/:id/confirmation'), async ({ request, params }) => {
      state.sent.push({ confirm: params.id, ...((await request.json()) as object) });
      return HttpResponse.json({ bank: aBank({ state: 'pending' }), redirectUrl: partner });
    }),
    http.delete(payments('/api/users/mangopay/payout-banks/:id'), ({ params }) => {
      state.sent.push({ end: params.id });
      return new HttpResponse(null, { status: 204 });
    }),
    // The menu beside the page shows one's picture, when it can be read.
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
    http.get(content('/campaigns/mycampaigns/preview/:language/'), () =>
      HttpResponse.json({ previews: [], total: 0 }),
    ),
  );
  return state;
}

/** Opens the page in English, signed in unless `options` say otherwise. */
export const openPayouts = (search = '', options: RenderOptions = { user: aUser() }) =>
  renderAt(`/en/profile/me/payouts/${search}`, options);
