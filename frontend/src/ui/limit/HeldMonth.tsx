import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectIsSignedIn } from '../../api/session';
import { subscriptionPayments, type HeldMonth as Held } from '../../api/subscriptionPayments';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { capital } from '../../i18n/capital';
import { formatDay, formatMoney, platformDay } from '../../i18n/format';
import { formatMonthName } from '../../i18n/months';
import { Button } from '../Button';
import { useNotify } from '../notify';
import { useNow } from '../useNow';
import { LimitBox } from './LimitBox';
import { RaiseButton } from './RaiseButton';
import { useChange } from './useChange';
import { useRaiseLimit } from './useRaiseLimit';

export interface HeldMonthProps {
  subscriptionId: string;
  currency: string;
  held: Held;
  /** The month waits no more: it will be charged. */
  onLetGo?: () => void;
}

/**
 * A month that waits because it would cross the spending limit: why, and the two ways on. It waits for an answer also when
 * it fits by now, because the service weighs it anew only when the limit is set.
 */
export function HeldMonth({ subscriptionId, currency, held, onLetGo }: HeldMonthProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const isSignedIn = useSelector(selectIsSignedIn);
  const today = platformDay(useNow());
  const change = useChange({ hasPlace: true });
  const { period, day, amount_minor: minor, limit_minor: limitMinor, total_minor: totalMinor } = held;
  const money = (one: number) => formatMoney(language, one / 100, { cents: true, currency });
  const words = {
    month: formatMonthName(language, day),
    amount: money(minor),
    total: money(totalMinor),
    limit: money(limitMinor),
    day: formatDay(language, day),
  };
  const exceeded = { currency, limitMinor, totalMinor, month: day.slice(0, 7) };
  const isFitting = totalMinor <= limitMinor;

  const readAgain = async (limit: number | undefined) => {
    // Subscribed to, because whoever shows the month may be gone before the answer.
    const read = dispatch(
      subscriptionPayments.endpoints.subscription.initiate({ subscriptionId }, { forceRefetch: true }),
    );
    const { data } = await read;
    read.unsubscribe();
    if (!data || limit === undefined || data.subscription.held?.period === period) return;
    onLetGo?.();
    notify({
      tone: 'success',
      title: capital(t(day > today ? 'spendingLimit.goesOn' : 'spendingLimit.goesToday', words)),
      text: t('spendingLimit.saved', { limit: formatMoney(language, limit, { cents: true, currency }) }),
      isAboutMoney: true,
      topic: 'subscription',
    });
  };
  const raising = useRaiseLimit(exceeded, readAgain);

  return (
    <LimitBox
      title={capital(t('spendingLimit.heldTitle', words))}
      failure={change.failure ?? raising.failure}
      choices={
        <>
          <Button
            variant="transparent"
            loading={change.isRunning}
            onClick={() => void change.skip({ subscriptionId, period, day })}
          >
            {t('subscription.break.skip', words)}
          </Button>
          <RaiseButton
            exceeded={exceeded}
            raising={raising}
            onPress={change.forget}
            label={isFitting ? t('spendingLimit.charge', words) : undefined}
          />
        </>
      }
    >
      {capital(t(isFitting ? 'spendingLimit.heldFits' : 'spendingLimit.heldText', words))}{' '}
      {!isFitting && !isSignedIn && t('spendingLimit.signIn')}
    </LimitBox>
  );
}
