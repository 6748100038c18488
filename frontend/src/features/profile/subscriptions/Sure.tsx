import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Subscription as Paying } from '../../../api/subscriptionPayments';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { ErrorState } from '../../../ui/ErrorState';
import { changesFrom, changeWhen, chosenLevel, endsAtOnce } from '../../../ui/own/paying';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useNow } from '../../../ui/useNow';
import classes from './MySubscriptionsPage.module.css';
import type { PayingRead } from './usePaying';

export interface SureProps {
  campaign: string;
  paying: PayingRead;
  /** Why it was not made. */
  failure: string | undefined;
  /** When money moves then, or does not. */
  children: (subscription: Paying) => ReactNode;
}

/** Under the question whether one is sure: of what, and what becomes of the money. */
export function Sure({ campaign, paying, failure, children }: SureProps) {
  return (
    <div className={classes.sure}>
      <p>{campaign}</p>
      {paying.subscription ? (
        <p>{children(paying.subscription)}</p>
      ) : paying.isError ? (
        <ErrorState onRetry={paying.retry} />
      ) : (
        <LinesSkeleton lines={2} />
      )}
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
    </div>
  );
}

/** When another amount is charged, if that is known. */
export function ChangeWords({ subscription, cents }: { subscription: Paying; cents: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const when = changeWhen(subscription, platformDay(useNow()));
  const money = (minor: number) =>
    formatMoney(language, minor / 100, { cents: true, currency: subscription.currency });
  const before = chosenLevel(subscription).amount_minor;
  const from = changesFrom(subscription);
  const day = from && formatDay(language, from);
  if (day === undefined) return t('subscription.own.changesNext');
  if (cents === before) return t(`subscription.change.from${when}`, { day }); // another reward of that amount
  return (
    <Trans
      i18nKey={`subscription.change.summary${when}`}
      values={{ day, amount: money(cents), before: money(before) }}
      components={{ b: <b /> }}
    />
  );
}

/** What is not charged any more, and until when the support lasts. */
export function StopWords({ subscription }: { subscription: Paying }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const today = platformDay(useNow());
  const { currency, paid_until: until, held } = subscription;
  const next = subscription.next_charge ?? held;
  if (!until || endsAtOnce(subscription, today)) return t('subscription.break.stopNow');
  return (
    <>
      {t('subscription.break.stopText', { day: formatDay(language, until) })}{' '}
      {next &&
        t('subscription.break.stopConfirm', {
          amount: formatMoney(language, next.amount_minor / 100, { cents: true, currency }),
          day: formatDay(language, next.day),
        })}
    </>
  );
}
