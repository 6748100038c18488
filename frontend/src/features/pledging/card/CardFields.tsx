import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useColorScheme } from '../../../ui/colorScheme';
import { readConfig } from '../../../api/extra';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { retryLater } from '../../../ui/loadWithRetry';
import type { CardFormStatus, CardForm } from '../flow/ports';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { appearanceOf, fontsOf } from './appearance';
import classes from './CardFields.module.css';
import { outcomeOf, outcomeOfSetup } from './outcome';
import { openProvider, takesCards } from './stripe';

export interface CardFieldsProps {
  /** What will be charged, in cents. It may change until Pay is pressed. */
  cents: number;
  currency: string;
  /** once: paid now · monthly: paid now, and the card is saved for the months to come · card: only saved. */
  purpose?: 'once' | 'monthly' | 'card';
  /** Of a card that is paid with once: it is offered to its person again. */
  isKept?: boolean;
  /** Called when the status changes. Must be the same function on every render. */
  onStatus: (status: CardFormStatus) => void;
  ref: Ref<CardForm>;
}

interface Provider {
  stripe: Stripe;
  elements: StripeElements;
}

/** In milliseconds. The provider's form reports when it is ready, but not that it never will be. */
const readyTimeout = 20_000;

/** Stripe's payment form. Card data is typed into its iframe and never reaches this page. */
export default function CardFields(props: CardFieldsProps) {
  const { cents, currency, purpose = 'once', isKept = false, onStatus, ref } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isDark = useColorScheme() === 'dark';
  const holder = useRef<HTMLDivElement>(null);
  const provider = useRef<Provider>(null);
  const isTyped = useRef(false);
  const start = useRef({ cents, currency, isDark, language });
  const [status, setStatus] = useState<CardFormStatus>(() =>
    takesCards(dispatch(readConfig())) ? 'loading' : 'off',
  );
  const [failures, setFailures] = useState(0);
  const retry = useRef<() => void>(() => undefined);
  const isOff = status === 'off';

  useEffect(() => onStatus(status), [status, onStatus]);

  useEffect(() => {
    if (isOff) return undefined;
    let isGone = false;
    let next: ReturnType<typeof retryLater> | undefined;
    const fail = (reason: unknown) => {
      if (isGone || next) return;
      console.warn('card form:', reason);
      setStatus('failed');
      next = retryLater(failures + 1, () => setFailures(failures + 1));
      retry.current = next.now;
    };
    const timeout = setTimeout(() => fail('no answer'), readyTimeout);
    const ready = () => {
      clearTimeout(timeout);
      next?.cancel();
      setStatus('ready');
    };
    const open = async () => {
      const stripe = await openProvider(dispatch(readConfig()), start.current.language);
      if (isGone || !holder.current) return;
      // Shows the container before mounting: a form in a hidden one may never report that it is ready.
      setStatus('loading');
      const { cents: amount, currency: money, isDark: dark, language: locale } = start.current;
      const elements = stripe.elements({
        ...(purpose === 'card'
          ? { mode: 'setup' as const }
          : { mode: 'payment' as const, amount: displayAmount(amount) }),
        ...(purpose !== 'once' && { setupFutureUsage: 'off_session' as const }),
        currency: money.toLowerCase(),
        allowedPaymentMethodTypes: ['card'],
        locale,
        appearance: appearanceOf(document.documentElement, dark),
        fonts: fontsOf(window.location.origin),
      });
      const form = elements.create('payment', {
        layout: 'tabs',
        terms: { card: 'never' },
        // Shown if the device has a wallet and the domain is registered with Stripe. They pay like a card.
        wallets: { applePay: 'auto', googlePay: 'auto' },
      });
      form.on('ready', ready);
      isTyped.current = false;
      form.on('change', ({ empty }) => {
        isTyped.current = !empty;
      });
      form.on('loaderror', ({ error }) => fail(error));
      form.mount(holder.current);
      provider.current = { stripe, elements };
    };
    open().catch(fail);
    return () => {
      isGone = true;
      clearTimeout(timeout);
      next?.cancel();
      provider.current?.elements.getElement('payment')?.destroy();
      provider.current = null;
    };
  }, [dispatch, failures, isOff, purpose]);

  useEffect(() => {
    start.current = { cents, currency, isDark, language };
    if (purpose === 'card') return;
    void provider.current?.elements.update({
      amount: displayAmount(cents),
      currency: currency.toLowerCase(),
    });
  }, [cents, currency, isDark, language, purpose]);

  // The provider compares it with the payment's.
  useEffect(() => {
    if (purpose !== 'once' || status !== 'ready') return;
    void provider.current?.elements.update({ setupFutureUsage: isKept ? 'on_session' : null });
  }, [isKept, purpose, status]);

  // In place, not with another form: the card that was typed is in this one alone.
  useEffect(() => {
    void provider.current?.elements.update({ locale: language });
  }, [language]);

  useEffect(() => {
    void provider.current?.elements.update({ appearance: appearanceOf(document.documentElement, isDark) });
  }, [isDark]);

  useImperativeHandle(
    ref,
    (): CardForm => ({
      isTyped: () => isTyped.current,
      focus: () => {
        holder.current?.scrollIntoView({ block: 'center' });
        provider.current?.elements.getElement('payment')?.focus();
      },
      check: async () => {
        if (!provider.current) return 'unavailable';
        // Nothing may be awaited before this: a wallet opens only during the user's click.
        const { error } = await provider.current.elements.submit();
        return error ? 'incomplete' : 'complete';
      },
      confirm: async (clientSecret, back) => {
        if (!provider.current) return { kind: 'refused', status: 'configuration_error' };
        const { stripe, elements } = provider.current;
        const asked = {
          elements,
          clientSecret,
          confirmParams: { return_url: `${window.location.origin}${back}` },
          redirect: 'if_required' as const,
        };
        try {
          return purpose === 'card'
            ? outcomeOfSetup(await stripe.confirmSetup(asked))
            : outcomeOf(await stripe.confirmPayment(asked));
        } catch (error) {
          // It is not known whether anything was charged.
          console.warn('confirm payment:', error);
          return { kind: 'unclear' };
        }
      },
    }),
    [purpose],
  );

  return (
    <div className={classes.root}>
      {status === 'loading' && (
        <div className={classes.loading}>
          <LinesSkeleton lines={4} />
        </div>
      )}
      {status === 'off' && <p role="status">{t('pledge.card.off')}</p>}
      {status === 'failed' && (
        <ErrorState title={t('pledge.card.failedTitle')} onRetry={() => retry.current()}>
          {t(purpose === 'once' ? 'pledge.card.failed' : 'pledge.card.failedOnly')}
        </ErrorState>
      )}
      <div
        ref={holder}
        hidden={status === 'failed' || status === 'off'}
        className={classes.frame}
        data-status={status}
      />
    </div>
  );
}

/**
 * Stripe's form refuses amounts below 50 cents. Only for display: what is charged is the amount of the payment intent.
 */
function displayAmount(cents: number): number {
  return Math.max(50, cents);
}
