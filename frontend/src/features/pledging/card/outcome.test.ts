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
    'requires_payment_method tells the last error',
    intent('requires_payment_method', { code: 'expired_card' }),
    { kind: 'refused', status: 'expired_card' },
  ],
  [
    'requires_payment_method without one',
    intent('requires_payment_method'),
    { kind: 'refused', status: 'generic' },
  ],
  [
    'a challenge that was left',
    intent('requires_action'),
    { kind: 'refused', status: 'authentication_failed' },
  ],
  ['a status of tomorrow', intent('new' as 'succeeded'), { kind: 'refused', status: 'generic' }],
  ['canceled elsewhere', intent('canceled'), { kind: 'unclear' }],
  ['the form’s own message', failed({ type: 'validation_error' }), { kind: 'incomplete' }],
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
    'a challenge that was closed',
    failed({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' }),
    { kind: 'refused', status: 'authentication_failed' },
  ],
  [
    'a key that the provider refuses',
    failed({ type: 'authentication_error' }),
    { kind: 'refused', status: 'configuration_error' },
  ],
  [
    'a lost connection: charged or not is not known',
    failed({ type: 'api_connection_error' }),
    { kind: 'unclear' },
  ],
  [
    'a payment that another tab has finished',
    failed({ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    { kind: 'unclear' },
  ],
  ['an error of tomorrow', failed({ type: 'new' as 'card_error' }), { kind: 'refused', status: 'generic' }],
])('%s', (_, result, outcome) => expect(outcomeOf(result)).toEqual(outcome));
