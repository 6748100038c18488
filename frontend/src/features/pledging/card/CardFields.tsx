import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useColorScheme } from '../../../ui/colorScheme';
import { readConfig } from '../../../api/extra';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { retryLater } from '../../../ui/loadWithRetry';
import type { CardFormStatus, CardForm } from '../flow/ports';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { appearanceOf, fontsOf } from './appearance';
import classes from './CardFields.module.css';
import { outcomeOf } from './outcome';
import { openProvider, takesCards } from './stripe';

export interface CardFieldsProps {
  /** What will be charged, in cents. It may change until the press. */
  cents: number;
  currency: string;
  /** Is told how far the form is; nothing is paid before it is ready. Its identity must not change. */
  onStatus: (status: CardFormStatus) => void;
  ref: Ref<CardForm>;
}

interface Provider {
  stripe: Stripe;
  elements: StripeElements;
}

/** The provider's form says when it is ready, but not when it never will be. Milliseconds. */
const readyTimeout = 20_000;

/** The provider's own form. A card is typed into its frame and never comes to this page. */
export default function CardFields({ cents, currency, onStatus, ref }: CardFieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isDark = useColorScheme() === 'dark';
  const holder = useRef<HTMLDivElement>(null);
  const provider = useRef<Provider>(null);
  const start = useRef({ cents, currency, isDark });
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
    const late = setTimeout(() => fail('no answer'), readyTimeout);
    const ready = () => {
      clearTimeout(late);
      next?.cancel();
      setStatus('ready');
    };
    const open = async () => {
      const stripe = await openProvider(dispatch(readConfig()), language);
      if (isGone || !holder.current) return;
      // A form that is mounted out of sight may never say that it is ready.
      setStatus('loading');
      const { cents: amount, currency: money, isDark: dark } = start.current;
      const elements = stripe.elements({
        mode: 'payment',
        amount: chargeable(amount),
        currency: money.toLowerCase(),
        allowedPaymentMethodTypes: ['card'],
        locale: language,
        appearance: appearanceOf(document.documentElement, dark),
        fonts: fontsOf(window.location.origin),
      });
      const form = elements.create('payment', {
        layout: 'tabs',
        terms: { card: 'never' },
        // Shown where the device has one and the provider knows the domain; they pay as a card does.
        wallets: { applePay: 'auto', googlePay: 'auto' },
      });
      form.on('ready', ready);
      form.on('loaderror', ({ error }) => fail(error));
      form.mount(holder.current);
      provider.current = { stripe, elements };
    };
    open().catch(fail);
    return () => {
      isGone = true;
      clearTimeout(late);
      next?.cancel();
      provider.current?.elements.getElement('payment')?.destroy();
      provider.current = null;
    };
  }, [dispatch, language, failures, isOff]);

  useEffect(() => {
    start.current = { cents, currency, isDark };
    void provider.current?.elements.update({ amount: chargeable(cents), currency: currency.toLowerCase() });
  }, [cents, currency, isDark]);

  useEffect(() => {
    void provider.current?.elements.update({ appearance: appearanceOf(document.documentElement, isDark) });
  }, [isDark]);

  useImperativeHandle(
    ref,
    (): CardForm => ({
      check: async () => {
        if (!provider.current) return 'unavailable';
        // Nothing is awaited before: a wallet's sheet opens only within the press itself.
        const { error } = await provider.current.elements.submit();
        return error ? 'incomplete' : 'complete';
      },
      confirm: async (clientSecret, pledgeId) => {
        if (!provider.current) return { kind: 'refused', status: 'configuration_error' };
        const { stripe, elements } = provider.current;
        const back = `${window.location.origin}${paths.paymentReturn(language)}?pledge=${encodeURIComponent(pledgeId)}`;
        try {
          return outcomeOf(
            await stripe.confirmPayment({
              elements,
              clientSecret,
              confirmParams: { return_url: back },
              redirect: 'if_required',
            }),
          );
        } catch (error) {
          // Whether anything was charged is not known here.
          console.warn('confirm payment:', error);
          return { kind: 'unclear' };
        }
      },
    }),
    [language],
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
          {t('pledge.card.failed')}
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

/** The provider's form refuses nought; what is charged is the order's sum in any case. */
function chargeable(cents: number): number {
  return Math.max(50, cents);
}
