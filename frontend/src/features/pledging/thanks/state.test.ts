import type { Pledge } from '../../../api/pledging';
import type { Payment } from '../../../api/payments';
import { aPayment, aPledge } from '../../../../test/builders';
import { returnStateOf } from '../returning/returnState';
import { needsPayment, shortTitle, thanksState } from './state';

test.each<[Pledge['status'], string]>([
  ['created', 'settling'],
  ['awaiting_payment', 'settling'],
  ['processing', 'settling'],
  ['paid', 'paid'],
  ['partly_refunded', 'paid'],
  ['disputed', 'paid'],
  ['refunded', 'refunded'],
  ['failed', 'notPaid'],
  ['expired', 'notPaid'],
])('a pledge that is %s is shown as %s', (status, told) =>
  expect(thanksState(aPledge({ status }))).toBe(told),
);

test.each<[Payment['status'] | 'none', string]>([
  ['none', 'unpaid'],
  ['created', 'unpaid'],
  ['requires_action', 'unpaid'],
  ['failed', 'unpaid'],
  ['canceled', 'unpaid'],
  ['processing', 'settling'],
  ['succeeded', 'settling'],
  ['refunded', 'settling'],
])('an unpaid pledge with a payment that is %s is shown as %s', (status, told) => {
  const known = status === 'none' ? null : aPayment({ status });
  expect(thanksState(aPledge({ status: 'awaiting_payment' }), known)).toBe(told);
});

test.each<[Payment['status'] | 'none', string]>([
  ['none', 'notPaid'],
  ['failed', 'notPaid'],
  ['canceled', 'notPaid'],
  ['processing', 'settling'],
  ['succeeded', 'settling'],
  ['refunded', 'settling'],
])('an expired pledge with a payment that is %s is shown as %s', (status, told) => {
  const known = status === 'none' ? null : aPayment({ status });
  expect(thanksState(aPledge({ status: 'expired' }), known)).toBe(told);
});

test.each<[Pledge['status'], boolean, boolean]>([
  ['created', false, true],
  ['awaiting_payment', false, true],
  ['awaiting_payment', true, false],
  ['expired', true, true],
  ['failed', true, true],
  ['expired', false, false],
  ['paid', true, false],
  ['refunded', true, false],
])(
  'a pledge that is %s (payment confirmed by the provider: %s) needs its payment’s status: %s',
  (status, isSent, asks) => expect(needsPayment(aPledge({ status }), isSent)).toBe(asks),
);

test.each([
  ['Höyry – kylän yhteinen saunalautta', 'Höyry'],
  ['Leipäkirja: sata reseptiä', 'Leipäkirja'],
  ['Kurkipelto takaisin', 'Kurkipelto takaisin'],
])('the short title of %s is %s', (title, short) => expect(shortTitle(title)).toBe(short));

test.each([
  ['succeeded', undefined, false, { kind: 'thanks' }],
  ['processing', undefined, false, { kind: 'thanks' }],
  ['succeeded', undefined, true, { kind: 'thanks' }],
  ['created', undefined, false, { kind: 'waiting' }],
  ['requires_action', undefined, false, { kind: 'waiting' }],
  ['created', undefined, true, { kind: 'notPaid', status: 'canceled' }],
  ['created', 'insufficient_funds', false, { kind: 'notPaid', status: 'insufficient_funds' }],
  ['created', 'processing_error', false, { kind: 'notPaid', status: 'generic' }],
  ['canceled', undefined, false, { kind: 'notPaid', status: 'pledge_not_payable' }],
  ['canceled', 'too_many_declines', false, { kind: 'notPaid', status: 'too_many_declines' }],
  ['created', 'too_many_declines', false, { kind: 'notPaid', status: 'too_many_declines' }],
  ['refunded', undefined, false, { kind: 'moneyBack' }],
] as const)(
  'return from the payment page: status %s, code %s, canceled %s',
  (status, failure_code, wasCanceled, returnState) =>
    expect(returnStateOf({ ...aPayment(), status, failure_code }, wasCanceled)).toEqual(returnState),
);
