import type { PaymentIntentResult } from '@stripe/stripe-js';

/** What the payment provider's script does in a test: the next answers, and what it was asked. */
export interface ProviderScript {
  /** Whether the form finds the card complete. */
  isComplete: boolean;
  /** One answer for each confirmation, in their order; after the last a success. */
  results: PaymentIntentResult[];
  confirmed: string[];
  /** How often the form was asked whether it is complete; this opens a wallet. */
  checks: number;
  /** How each form that is mounted turns out, in their order; after the last one it is ready. */
  formOutcomes: ('loaderror' | 'silence')[];
  /** The sums that the form was told, in cents. */
  amounts: number[];
}

const paid = { paymentIntent: { status: 'succeeded' } } as unknown as PaymentIntentResult;

/** Puts a stand-in of the provider's script into the page, as if it had been loaded. */
export function installProvider(): ProviderScript {
  const script: ProviderScript = {
    isComplete: true,
    checks: 0,
    results: [],
    confirmed: [],
    amounts: [],
    formOutcomes: [],
  };
  const element = () => {
    const handlers: Record<string, (event: object) => void> = {};
    return {
      on: (name: string, handle: (event: object) => void) => (handlers[name] = handle),
      mount: (holder: HTMLElement) => {
        holder.textContent = 'Card fields';
        const outcome = script.formOutcomes.shift() ?? 'ready';
        queueMicrotask(() => handlers[outcome]?.({ error: { type: 'api_connection_error' } }));
      },
      destroy: () => undefined,
    };
  };
  const provider = () => ({
    elements: ({ amount }: { amount: number }) => {
      script.amounts.push(amount);
      let held: ReturnType<typeof element> | null = null;
      return {
        create: () => (held = element()),
        getElement: () => held,
        update: ({ amount: next }: { amount?: number }) => next !== undefined && script.amounts.push(next),
        submit: () => {
          script.checks += 1;
          return Promise.resolve(
            script.isComplete ? {} : { error: { type: 'validation_error', message: 'Incomplete' } },
          );
        },
      };
    },
    confirmPayment: ({ clientSecret }: { clientSecret: string }) => {
      script.confirmed.push(clientSecret);
      return Promise.resolve(script.results.shift() ?? paid);
    },
  });
  Object.assign(window, { Stripe: Object.assign(provider, { version: 'endive' }) });
  return script;
}
