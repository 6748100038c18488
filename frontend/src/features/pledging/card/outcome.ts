import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';

/** What the provider's answer means for the page. */
export type CardOutcome =
  | { kind: 'paid' }
  /** The form shows its own message at its field. */
  | { kind: 'incomplete' }
  /** The same payment takes another card. `status` is a key of the error catalogue. */
  | { kind: 'refused'; status: RefusedStatus }
  /** The answer was lost, or the provider holds another state than this page thought: the server has to say. */
  | { kind: 'unclear' };

export type RefusedStatus =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authentication_failed'
  | 'configuration_error'
  | 'generic';

/** Reads the error and the status of a confirmation; nothing else decides whether it went through. */
export function outcomeOf({ error, paymentIntent }: PaymentIntentResult): CardOutcome {
  if (error) return outcomeOfError(error);
  return outcomeOfStatus(paymentIntent);
}

type LastError = Pick<StripeError, 'code' | 'decline_code'>;

function outcomeOfStatus({ status, last_payment_error: last }: PaymentIntent): CardOutcome {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return { kind: 'paid' };
    case 'requires_payment_method':
      return { kind: 'refused', status: statusOf(last ?? {}) };
    case 'requires_action':
      return { kind: 'refused', status: 'authentication_failed' };
    case 'canceled':
      return { kind: 'unclear' };
    case 'requires_confirmation':
    case 'requires_capture':
      return { kind: 'refused', status: 'generic' };
    default:
      return { kind: 'refused', status: newToUs(status) };
  }
}

function outcomeOfError(error: StripeError): CardOutcome {
  if (error.code === 'payment_intent_unexpected_state') return { kind: 'unclear' };
  switch (error.type) {
    case 'validation_error':
      return { kind: 'incomplete' };
    case 'authentication_error':
      return { kind: 'refused', status: 'configuration_error' };
    case 'api_error':
    case 'api_connection_error':
      return { kind: 'unclear' };
    case 'card_error':
    case 'invalid_request_error':
    case 'rate_limit_error':
    case 'idempotency_error':
      return { kind: 'refused', status: statusOf(error) };
    default:
      return { kind: 'refused', status: newToUs(error.type) };
  }
}

function statusOf({ code, decline_code }: LastError): RefusedStatus {
  switch (code) {
    case 'card_declined':
      return decline_code === 'insufficient_funds' ? 'insufficient_funds' : 'card_declined';
    case 'expired_card':
    case 'incorrect_cvc':
      return code;
    case 'payment_intent_authentication_failure':
      return 'authentication_failed';
    default:
      return 'generic';
  }
}

/** A value that the provider adds later compiles here as never, and is told as generic. */
function newToUs(value: never): RefusedStatus {
  console.warn('payment: a result that this page does not know:', value);
  return 'generic';
}
