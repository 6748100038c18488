import { useEffect, useState } from 'react';
import { Notices } from '../../ui/notify';
import { loadWithRetry } from '../../ui/loadWithRetry';

const thanks = () => import(/* webpackChunkName: "thanks" */ './thanks/ThanksPage');

/**
 * Whether the code is there that a payment leads to: the thanks, and the notices that say how it went. Fetched before
 * anything is charged, so that nobody who has paid meets a page that does not open.
 */
export function usePaymentCodeLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isGone = false;
    void Promise.all([loadWithRetry(thanks, 'overlay'), Notices.preload()]).then(() => {
      if (!isGone) setLoaded(true);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return isLoaded;
}
