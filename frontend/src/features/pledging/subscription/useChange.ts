import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useErrorText } from '../../../i18n/errorText';
import { useNotify } from '../../../ui/notify';

/** A change of a subscription: whether it is being made, and how it is made. */
export interface Change {
  isRunning: boolean;
  /** Resolves to whether it was made. Says so either way. */
  make: (call: PromiseLike<{ error?: unknown }>, done: string) => Promise<boolean>;
}

/** Makes one change at a time, and says how it went. */
export function useChange(): Change {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const notify = useNotify();
  const [isRunning, setRunning] = useState(false);
  return {
    isRunning,
    make: async (call, done) => {
      setRunning(true);
      const { error } = await call;
      setRunning(false);
      if (error === undefined) {
        notify({ tone: 'success', title: done, isAboutMoney: true, topic: 'subscription' });
        return true;
      }
      notify({
        tone: 'error',
        title: t('subscription.change.failed'),
        text: isApiError(error) ? errorText(error, 'SubscriptionPage') : undefined,
        isAboutMoney: true,
        topic: 'subscription',
      });
      return false;
    },
  };
}
