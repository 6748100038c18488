import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { outcomeOf } from './outcome';

beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => jest.restoreAllMocks());

const intent = (status: PaymentIntent.Status, last?: Partial<StripeError>) =>
  ({ paymentIntent: { status, last_payment_error: last ?? null } }) as unknown as PaymentIntentResult;
const failed = (error: Partial<StripeError>) => ({ error }) as unknown as PaymentIntentResult;

test.each([
  ['succeeded', intent('succeeded'), { kind: 'paid' }],
  ['processing', intent('processing'), { kind: 'paid' }],
  [
    'requires_payment_method with a last error',
    intent('requires_payment_method', { code: 'expired_card' }),
    { kind: 'refused', status: 'expired_card' },
  ],
  [
    'requires_payment_method without a last error',
    intent('requires_payment_method'),
    { kind: 'refused', status: 'generic' },
  ],
  [
    'an unfinished 3-D Secure challenge',
    intent('requires_action'),
    { kind: 'refused', status: 'authentication_failed' },
  ],
  ['an unknown status, which says nothing about a charge', intent('new' as 'succeeded'), { kind: 'unclear' }],
  ['money that is held', intent('requires_capture'), { kind: 'unclear' }],
  ['a payment that was canceled elsewhere', intent('canceled'), { kind: 'unclear' }],
  [
    'a validation error, which the form shows itself',
    failed({ type: 'validation_error' }),
    { kind: 'incomplete' },
  ],
  [
    'a declined card',
    failed({ type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }),
    { kind: 'refused', status: 'card_declined' },
  ],
  [
    'a card without funds',
    failed({ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }),
    { kind: 'refused', status: 'insufficient_funds' },
  ],
  [
    'a wrong security code',
    failed({ type: 'card_error', code: 'incorrect_cvc' }),
    { kind: 'refused', status: 'incorrect_cvc' },
  ],
  [
    'processing_error',
    failed({ type: 'card_error', code: 'processing_error' }),
    { kind: 'refused', status: 'generic' },
  ],
  [
    'a failed 3-D Secure challenge',
    failed({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' }),
    { kind: 'refused', status: 'authentication_failed' },
  ],
  [
    'an invalid publishable key',
    failed({ type: 'authentication_error' }),
    { kind: 'refused', status: 'configuration_error' },
  ],
  [
    'a lost connection, after which a charge is not ruled out',
    failed({ type: 'api_connection_error' }),
    { kind: 'unclear' },
  ],
  [
    'a payment that another tab has finished',
    failed({ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    { kind: 'unclear' },
  ],
  ['an unknown error type', failed({ type: 'new' as 'card_error' }), { kind: 'unclear' }],
  ['too many requests', failed({ type: 'rate_limit_error' }), { kind: 'unclear' }],
  [
    'a request that the provider did not understand',
    failed({ type: 'invalid_request_error' }),
    { kind: 'unclear' },
  ],
])('outcome of %s', (_, result, outcome) => expect(outcomeOf(result)).toEqual(outcome));
