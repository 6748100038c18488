import { useTranslation } from 'react-i18next';
import type { SubscriptionAnswer } from '../../api/subscriptionPayments';
import { ErrorState } from '../ErrorState';
import { LinesSkeleton } from '../Skeletons';
import { HeldMonth } from './HeldMonth';

export interface HeldOfProps {
  subscriptionId: string;
  currency: string;
  /** The read of the support. */
  call: { currentData?: SubscriptionAnswer; isError: boolean; refetch: () => unknown };
}

/** The held month of a support of which the content service only knows the day: the payment service knows the rest. */
export function HeldOf({ subscriptionId, currency, call }: HeldOfProps) {
  const { t } = useTranslation();
  const { currentData, isError, refetch } = call;
  if (!currentData && isError)
    return <ErrorState title={t('spendingLimit.heldFailed')} onRetry={() => void refetch()} />;
  if (!currentData) return <LinesSkeleton lines={3} />;
  const { held } = currentData.subscription;
  if (!held) return null;
  return <HeldMonth key={held.period} subscriptionId={subscriptionId} currency={currency} held={held} />;
}
