import { loadStripe } from '@stripe/stripe-js/pure';
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js';
import type { PublicConfig } from '../../../api/pageData';

/** Whether cards are accepted: the platform has a publishable key. */
export function takesCards({ stripe_publishable_key: key }: PublicConfig): boolean {
  return Boolean(key);
}

/** Loads the payment provider's script. Rejects if there is no key or the script cannot be loaded. */
export async function openProvider(config: PublicConfig, locale: StripeElementLocale): Promise<Stripe> {
  const { stripe_publishable_key: key, stripe_script: script } = config;
  if (!key) throw new Error('cards are switched off: there is no publishable key');
  // loadStripe uses window.Stripe if it exists, so the platform's own script is loaded before it.
  if (script && !window.Stripe) await addScript(script);
  const stripe = await loadStripe(key, { locale });
  if (!stripe) throw new Error('the payment provider needs a browser');
  return stripe;
}

const loading = new Map<string, Promise<void>>();

/** Adds a script once. After a failure the next call tries again. */
function addScript(src: string): Promise<void> {
  const known = loading.get(src);
  if (known) return known;
  const script = document.createElement('script');
  script.src = src;
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      loading.delete(src);
      script.remove();
      reject(new Error(`${src} did not load`));
    });
  });
  loading.set(src, loaded);
  document.head.append(script);
  return loaded;
}
