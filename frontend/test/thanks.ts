import { http, HttpResponse } from 'msw';
import type { Pledge } from '../src/api/pledging';
import type { Payment } from '../src/api/payments';
import { aCampaign, aPayment, aPledge } from './builders';
import { content, payments, server } from './server';

/** The pledge of the thanks page. */
export const id = '01JD0000000000000000000001';
/** What a paid pledge has. */
export const paid: Partial<Pledge> = {
  status: 'paid',
  amount: 96.5,
  lines: [
    { label: '2 × Iltavuoro kahdelle', amount: 90 },
    { label: 'Avainkortti kirjeenä', amount: 6.5 },
  ],
  vat_included: 11.48,
  vat_percentage: 25.5,
  last_name: 'Hakkarainen',
  receipt_number: 'TK-2026-004183',
  backer_number: 313,
  paid_at: '2026-11-20T11:04:00Z',
  payment_method: 'Visa ···· 4242',
  delivery: '2027-05',
};

/** Serves the campaign and the pledge: one version per poll; the last is repeated. */
export function serve(...polls: Partial<Pledge>[]): { polls: number } {
  const seen = { polls: 0 };
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign(), acl: ['view'] }),
    ),
    http.get(content('/campaigns/3/rewards/:language/'), () => HttpResponse.json({ rewards: [] })),
    http.get(content(`/pledges/${id}/`), () => {
      const poll = polls[Math.min(seen.polls, polls.length - 1)];
      seen.polls += 1;
      return HttpResponse.json({ pledge: aPledge({ pledge_id: id, reward_id: null, ...poll }) });
    }),
  );
  return seen;
}

/** Stores the pledge as the checkout does; `isSent`: the provider has confirmed the payment. */
export const keep = (isSent = true) =>
  window.sessionStorage.setItem(
    'tk-pledge',
    JSON.stringify({ pledgeId: id, campaignId: 3, last_name: 'Hakkarainen', isSent }),
  );
const payment = aPayment({ pledge_id: id, amount_minor: 9650 });

/** Serves the payment: one version per poll; the last is repeated. */
export function servePayment(...polls: Partial<Payment>[]) {
  let count = 0;
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () => {
      const poll = polls[Math.min(count, polls.length - 1)];
      count += 1;
      return HttpResponse.json({ payment: { ...payment, ...poll } });
    }),
  );
}
