import type { PaymentIntent, PaymentIntentResult, SetupIntentResult, StripeError } from '@stripe/stripe-js';
import type { CardRefusal } from '../flow/failures';

/** What the result of confirming a card payment means for the page. */
export type CardOutcome =
  | { kind: 'paid' }
  /** The form shows the validation error itself. */
  | { kind: 'incomplete' }
  /** Another card can be tried for the same payment. */
  | { kind: 'refused'; status: CardRefusal }
  /** The response was lost, or the payment's state is not what this page expected: ask the server. */
  | { kind: 'unclear' };

/** Maps the error or the status of a confirmation; whether it was paid depends on nothing else. */
export function outcomeOf({ error, paymentIntent }: PaymentIntentResult): CardOutcome {
  if (error) return outcomeOfError(error);
  return outcomeOfStatus(paymentIntent);
}

/** The same for saving a card, where paid means saved. */
export function outcomeOfSetup({ error, setupIntent }: SetupIntentResult): CardOutcome {
  if (error?.code === 'setup_intent_unexpected_state') return { kind: 'unclear' };
  if (error) return outcomeOfError(error);
  switch (setupIntent.status) {
    case 'succeeded':
    case 'processing':
      return { kind: 'paid' };
    case 'requires_payment_method':
      return { kind: 'refused', status: statusOf(setupIntent.last_setup_error ?? {}) };
    case 'requires_action':
      return { kind: 'refused', status: 'authentication_failed' };
    case 'canceled':
      return { kind: 'unclear' };
    case 'requires_confirmation':
      return { kind: 'refused', status: 'generic' };
    default:
      return unknownValue(setupIntent.status);
  }
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
      return { kind: 'refused', status: 'generic' };
    // The money is held, which this app never asks for.
    case 'requires_capture':
      return { kind: 'unclear' };
    default:
      return unknownValue(status);
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
    case 'rate_limit_error':
    case 'idempotency_error':
      return { kind: 'unclear' };
    case 'card_error':
      return { kind: 'refused', status: statusOf(error) };
    case 'invalid_request_error': {
      const status = statusOf(error);
      return status === 'generic' ? { kind: 'unclear' } : { kind: 'refused', status };
    }
    default:
      return unknownValue(error.type);
  }
}

function statusOf({ code, decline_code }: LastError): CardRefusal {
  switch (code) {
    case 'card_declined':
      return decline_code === 'insufficient_funds' ? 'insufficient_funds' : 'card_declined';
    case 'expired_card':
    case 'incorrect_cvc':
      return code;
    case 'payment_intent_authentication_failure':
    case 'setup_intent_authentication_failure':
      return 'authentication_failed';
    default:
      return 'generic';
  }
}

/** For values that the provider adds later and that its types do not have yet: they say nothing about a charge. */
function unknownValue(value: never): CardOutcome {
  console.warn('payment: unknown result:', value);
  return { kind: 'unclear' };
}
