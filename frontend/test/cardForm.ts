import { notifications } from '@mantine/notifications';
import type { PaymentIntentResult, SetupIntentResult } from '@stripe/stripe-js';

/** Controls the fake payment provider, and records how it was used. */
export interface ProviderScript {
  /** Whether the form's validation succeeds. */
  isComplete: boolean;
  /** The results of confirmations, in order; after the last one they succeed. */
  results: PaymentIntentResult[];
  /** The client secrets of the confirmations. */
  confirmed: string[];
  /** Where the provider was told to send the browser back to, of each confirmation. */
  returns: string[];
  /** How often the form was submitted for validation, which opens a wallet if one is chosen. */
  checks: number;
  /** How often the form was given the focus. */
  focused: number;
  /** What the mounted forms report, in order; after the last one they report that they are ready. */
  formOutcomes: ('loaderror' | 'silence')[];
  /** The amounts that the form was given, in cents. */
  amounts: number[];
  /** The languages that the form was given. */
  locales: string[];
  /** How often a form was put into the page, each time without what was typed into the one before. */
  mounted: number;
}

const paid = { paymentIntent: { status: 'succeeded' } } as unknown as PaymentIntentResult;

const saved = { setupIntent: { status: 'succeeded' } } as unknown as SetupIntentResult;

interface Confirmation {
  clientSecret: string;
  confirmParams: { return_url: string };
}

const fresh = (): ProviderScript => ({
  isComplete: true,
  checks: 0,
  focused: 0,
  results: [],
  confirmed: [],
  returns: [],
  amounts: [],
  locales: [],
  mounted: 0,
  formOutcomes: [],
});

/** Has a fake provider in the page for all tests of a file, each of which finds it as new and leaves nothing behind. */
export function aFakeProvider(): ProviderScript {
  const script = installProvider();
  beforeEach(() => void Object.assign(script, fresh()));
  afterEach(() => {
    window.sessionStorage.clear();
    // Mantine has one store for the notices of all tests, while each test's app numbers its notices from 0.
    notifications.clean();
  });
  return script;
}

/** Installs a fake of the provider's script in the page, as if it had been loaded. */
export function installProvider(): ProviderScript {
  const script = fresh();
  const element = () => {
    const handlers: Record<string, (event: object) => void> = {};
    return {
      on: (name: string, handle: (event: object) => void) => (handlers[name] = handle),
      mount: (holder: HTMLElement) => {
        holder.textContent = 'Card fields';
        script.mounted += 1;
        const outcome = script.formOutcomes.shift() ?? 'ready';
        queueMicrotask(() => handlers[outcome]?.({ error: { type: 'api_connection_error' } }));
      },
      destroy: () => undefined,
      focus: () => (script.focused += 1),
    };
  };
  const provider = () => ({
    elements: ({ amount, locale }: { amount: number; locale: string }) => {
      script.amounts.push(amount);
      script.locales.push(locale);
      let created: ReturnType<typeof element> | null = null;
      return {
        create: () => (created = element()),
        getElement: () => created,
        update: (change: { amount?: number; locale?: string }) => {
          if (change.amount !== undefined) script.amounts.push(change.amount);
          if (change.locale !== undefined) script.locales.push(change.locale);
        },
        submit: () => {
          script.checks += 1;
          return Promise.resolve(
            script.isComplete ? {} : { error: { type: 'validation_error', message: 'Incomplete' } },
          );
        },
      };
    },
    confirmPayment: ({ clientSecret, confirmParams }: Confirmation) => {
      script.confirmed.push(clientSecret);
      script.returns.push(confirmParams.return_url);
      return Promise.resolve(script.results.shift() ?? paid);
    },
    confirmSetup: ({ clientSecret, confirmParams }: Confirmation) => {
      script.confirmed.push(clientSecret);
      script.returns.push(confirmParams.return_url);
      return Promise.resolve(saved);
    },
  });
  Object.assign(window, { Stripe: Object.assign(provider, { version: 'endive' }) });
  return script;
}
