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
 * naming them. isKnown: they have been read, or could not be; before that nobody has been asked whether the card is to pay them.
 */
export function useOtherSupport({ id, card }: Subscription): { others: string[]; isKnown: boolean } {
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { currentData, isFetching } = useOwnSubscriptionsQuery(
    { language, limit: most },
    { skip: !isSignedIn || !card?.is_shared },
  );
  const own = currentData?.subscriptions ?? [];
  const isOwn = own.some((one) => one.subscription_id === id);
  return {
    others: own
      .filter((one) => isOwn && one.subscription_id !== id && goingOn.includes(one.status))
      .map((one) => one.subscription_id),
    isKnown: currentData !== undefined || !isFetching,
  };
}
