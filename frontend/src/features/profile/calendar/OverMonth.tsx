import { useTranslation } from 'react-i18next';
import { subscriptionPayments, useSubscriptionQuery } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatDate, formatDay, formatMoney } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { HeldOf } from '../../../ui/limit/HeldOf';
import { LimitBox } from '../../../ui/limit/LimitBox';
import { RaiseButton } from '../../../ui/limit/RaiseButton';
import { useChange, type Change } from '../../../ui/limit/useChange';
import { useRaiseLimit } from '../../../ui/limit/useRaiseLimit';
import { useNotify } from '../../../ui/notify';
import { usePolling } from '../../../ui/usePolling';
import { pausedUntil, type Crossing } from './crossing';
import type { Answer, Entry } from './months';

/** A charge that waits for an answer. The payment service knows what its month would come to. */
export function HeldEntry({ entry, onLook }: { entry: Entry; onLook: () => unknown }) {
  const { subscription_id: subscriptionId, currency } = entry.support;
  const call = useSubscriptionQuery({ subscriptionId }, { refetchOnMountOrArgChange: true });
  // Answered: the calendar hears of it a moment later.
  usePolling(call.data !== undefined && !call.data.subscription.held, () => void onLook());
  return <HeldOf subscriptionId={subscriptionId} currency={currency} call={call} />;
}

export interface OverMonthProps {
  crossing: Crossing;
  today: string;
  onAnswer: (answer: Answer) => void;
  /** Leads to the limit. */
  onLimit: () => void;
}

/** The first month that would cross the limit: by how much, of which support, and the two ways on. */
export function OverMonth({ crossing, today, onAnswer, onLimit }: OverMonthProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const change = useChange({ hasPlace: true });
  const raising = useRaiseLimit(crossing, useSaySaved(crossing.currency));
  const { month, currency, limitMinor, totalMinor, isLasting, hasMore, entry } = crossing;
  const money = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const isPaused = entry?.support.status === 'paused';
  const goOnPausing = useGoOnPausing(change, today);
  const leaveOut = async (one: Entry) => {
    const { subscription_id: subscriptionId } = one.support;
    if (isPaused) {
      if (await goOnPausing(one)) onAnswer({ subscriptionId, before: pausedUntil(one, today) });
    } else if (await change.skip({ subscriptionId, period: one.period, day: one.day }))
      onAnswer({ subscriptionId, before: one.period + 1 });
  };
  return (
    <LimitBox
      title={capital(
        t(isLasting ? 'spendingLimit.overFrom' : 'spendingLimit.overIn', {
          month: formatMonthName(language, `${month}-01`),
          sum: money(totalMinor - limitMinor),
        }),
      )}
      failure={change.failure ?? raising.failure}
      choices={
        <>
          {entry && (
            <Button variant="transparent" loading={change.isRunning} onClick={() => void leaveOut(entry)}>
              {isPaused
                ? t('spendingLimit.goOnPausing')
                : t('subscription.break.skip', { month: formatMonthName(language, entry.day) })}
            </Button>
          )}
          {hasMore ? (
            <Button onClick={onLimit}>{t('spendingLimit.change')}</Button>
          ) : (
            <RaiseButton exceeded={crossing} raising={raising} onPress={change.forget} />
          )}
        </>
      }
    >
      {entry &&
        t(isPaused ? 'spendingLimit.pauseEnds' : 'spendingLimit.comes', {
          campaign: entry.support.campaign.title,
          amount: formatMoney(language, entry.amount, { cents: true, currency }),
          day: formatDay(language, entry.day),
        })}{' '}
      {t('spendingLimit.nothingYet')}
    </LimitBox>
  );
}

/** Says what the limit is now: the box, and its button with it, is gone by then. */
function useSaySaved(currency: string) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  return (limit: number | undefined) => {
    if (limit === undefined) return;
    notify({
      tone: 'success',
      title: t('spendingLimit.saved', { limit: formatMoney(language, limit, { cents: true, currency }) }),
      isAboutMoney: true,
      topic: 'subscription',
    });
  };
}

/** Has a pause that ends go on. Resolves to whether it does. */
function useGoOnPausing({ make }: Change, today: string) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  return (entry: Entry) =>
    make(
      () =>
        dispatch(
          subscriptionPayments.endpoints.pauseSubscription.initiate(
            {
              subscriptionId: entry.support.subscription_id,
              subscriptionPause: { until_period: pausedUntil(entry, today) },
            },
            { track: false },
          ),
        ),
      ({ subscription: { paused_until: until } }) =>
        until
          ? t('spendingLimit.pausedUntil', { day: formatDate(language, until) })
          : t('subscription.break.paused'),
    );
}
