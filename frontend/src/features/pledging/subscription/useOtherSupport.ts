import { useSelector } from 'react-redux';
import { selectIsSignedIn } from '../../../api/session';
import type { Subscription } from '../../../api/subscriptionPayments';
import { useOwnSubscriptionsQuery } from '../../../api/subscriptions';
import { useLanguage } from '../../../i18n';

/** The most that one call names, and one answer has. */
const most = 300;
const goingOn = ['active', 'past_due', 'paused'];

/**
 * The ids of the reader's other support when the card of one of theirs pays some of it too. A card is given to others only by
 * naming them.
 */
export function useOtherSupport({ id, card }: Subscription): string[] {
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { currentData } = useOwnSubscriptionsQuery(
    { language, limit: most },
    { skip: !isSignedIn || !card?.is_shared },
  );
  const own = currentData?.subscriptions ?? [];
  if (!own.some((one) => one.subscription_id === id)) return [];
  return own
    .filter((one) => one.subscription_id !== id && goingOn.includes(one.status))
    .map((one) => one.subscription_id);
}
