import { useComputedColorScheme } from '@mantine/core';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { readConfig } from '../../../api/extra';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { LinesSkeleton } from '../../../ui/Skeletons';
import type { CardForm } from '../flow/ports';
import { useAppDispatch } from '../useAppDispatch';
import { appearanceOf, fontsOf } from './appearance';
import classes from './CardFields.module.css';
import { outcomeOf } from './outcome';
import { openProvider } from './stripe';

export interface CardFieldsProps {
  /** What will be charged, in cents. It may change until the press. */
  cents: number;
  currency: string;
  ref: Ref<CardForm>;
}

interface Provider {
  stripe: Stripe;
  elements: StripeElements;
}

/** The provider's own form. A card is typed into its frame and never comes to this page. */
export default function CardFields({ cents, currency, ref }: CardFieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isDark = useComputedColorScheme('light') === 'dark';
  const holder = useRef<HTMLDivElement>(null);
  const provider = useRef<Provider>(null);
  const start = useRef({ cents, currency, isDark });
  const [face, setFace] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    let isGone = false;
    const open = async () => {
      const stripe = await openProvider(dispatch(readConfig()), language);
      if (isGone || !holder.current) return;
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
        wallets: { applePay: 'never', googlePay: 'never' },
      });
      form.on('ready', () => setFace('ready'));
      form.on('loaderror', () => setFace('failed'));
      form.mount(holder.current);
      provider.current = { stripe, elements };
    };
    open().catch((error: unknown) => {
      console.warn('card form:', error);
      if (!isGone) setFace('failed');
    });
    return () => {
      isGone = true;
      provider.current?.elements.getElement('payment')?.destroy();
      provider.current = null;
    };
  }, [dispatch, language]);

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
      {face === 'loading' && (
        <div className={classes.loading}>
          <LinesSkeleton lines={4} />
        </div>
      )}
      {face === 'failed' && <p role="status">{t('pledge.card.failed')}</p>}
      <div ref={holder} hidden={face === 'failed'} className={classes.frame} data-face={face} />
    </div>
  );
}

/** The provider's form refuses nought; what is charged is the order's sum in any case. */
function chargeable(cents: number): number {
  return Math.max(50, cents);
}
