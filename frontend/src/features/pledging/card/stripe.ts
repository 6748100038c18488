import { loadStripe } from '@stripe/stripe-js/pure';
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js';
import type { PublicConfig } from '../../../api/pageData';

/** Whether the platform takes cards at all: without a key there is nothing to wait for. */
export function takesCards({ stripe_publishable_key: key }: PublicConfig): boolean {
  return Boolean(key);
}

/** Fetches the payment provider's script. Errors: there is no key, or the script did not come. */
export async function openProvider(config: PublicConfig, locale: StripeElementLocale): Promise<Stripe> {
  const { stripe_publishable_key: key, stripe_script: script } = config;
  if (!key) throw new Error('cards are switched off: there is no publishable key');
  // Where the platform names a script of its own, it comes first and the loader takes what it finds.
  if (script && !window.Stripe) await addScript(script);
  const stripe = await loadStripe(key, { locale });
  if (!stripe) throw new Error('the payment provider needs a browser');
  return stripe;
}

const coming = new Map<string, Promise<void>>();

/** Adds a script once. After a failure the next call tries again. */
function addScript(src: string): Promise<void> {
  const known = coming.get(src);
  if (known) return known;
  const script = document.createElement('script');
  script.src = src;
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      coming.delete(src);
      script.remove();
      reject(new Error(`${src} did not load`));
    });
  });
  coming.set(src, loaded);
  document.head.append(script);
  return loaded;
}
