import { useEffect, useState } from 'react';
import { Notices } from '../../ui/notify';
import { loadWithRetry } from '../../ui/loadWithRetry';

const thanks = () => import(/* webpackChunkName: "thanks" */ './thanks/ThanksPage');
const monthlyThanks = () =>
  import(/* webpackChunkName: "subscription-success" */ './thanks/SubscriptionSuccessPage');

/**
 * Whether the code that follows a payment is loaded: the thanks page and the notices. It is loaded before anything is
 * charged, so that nobody who has paid gets a page that does not open.
 */
export function usePaymentCodeLoaded(isMonthly: boolean): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isGone = false;
    void Promise.all([loadWithRetry(isMonthly ? monthlyThanks : thanks, 'overlay'), Notices.preload()]).then(
      () => {
        if (!isGone) setLoaded(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [isMonthly]);
  return isLoaded;
}
