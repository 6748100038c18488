import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { limitRefusal, type Exceeded } from '../../api/limitRefusal';
import { subscriptionPayments } from '../../api/subscriptionPayments';
import { subscriptions } from '../../api/subscriptions';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { capital } from '../../i18n/capital';
import { useErrorText } from '../../i18n/errorText';
import { formatMonthName } from '../../i18n/months';
import { askToConfirm } from '../confirmPrompt';
import { useNotify } from '../notify';
import { OverLimit } from './OverLimit';

type Call<Data> = () => PromiseLike<{ data?: Data; error?: unknown }>;

/** What is said once a change is made; it may depend on the answer. */
type Done<Data> = string | ((data: Data) => string);

/** A change of a subscription: whether it is being made, and how it is made. */
export interface Change {
  /** Its buttons take no press: it is being made, or has been a moment ago. */
  isRunning: boolean;
  /**
   * Resolves to whether it was made. Says so either way; where the spending limit forbids it, `question` asks first, and
   * the call is made again once the limit is raised. So it is once who is signed in has shown that it is them, where that is asked.
   */
  make: <Data>(call: Call<Data>, done: Done<Data>) => Promise<boolean>;
  /** Leaves a month out. Resolves as `make` does. */
  skip: (month: SkippedMonth) => Promise<boolean>;
  /** Is shown beside what was pressed. Undefined while nothing is asked. */
  question: ReactNode;
  /** Leaves what was asked for as it is. */
  leave: () => void;
  /** With hasPlace: why the last one was not made. */
  failure: string | undefined;
  /** Takes the failure back. */
  forget: () => void;
}

/** A month that is left out. */
export interface SkippedMonth {
  subscriptionId: string;
  period: number;
  /** YYYY-MM-DD */
  day: string;
}

/** How a change is asked about and answered. */
export interface ChangeOptions {
  leaveLabel?: string;
  /** The limit stays, and so does what was to be changed. */
  onLeave?: () => void;
  /** A failure is shown by the caller, not as a toast. */
  hasPlace?: boolean;
}

/** What was refused: the call again, and to let it be. */
interface Refused {
  exceeded: Exceeded;
  again: () => Promise<void>;
  leave: () => void;
}

/**
 * Milliseconds after a change in which the buttons take no press: the second one of a double press meets the button that has come
 * in the first one's place, which takes the change back.
 */
const doublePress = 500;

/** Makes one change at a time, and says how it went. */
export function useChange({ leaveLabel, onLeave, hasPlace = false }: ChangeOptions = {}): Change {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const notify = useNotify();
  const [isRunning, setRunning] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const [failure, setFailure] = useState<string>();

  const attempt = async <Data,>(
    call: Call<Data>,
    done: Done<Data>,
    resolve: (isMade: boolean) => void,
  ): Promise<void> => {
    setRunning(true);
    setFailure(undefined);
    const { data, error } = await call();
    if (error !== undefined) setRunning(false);
    else setTimeout(() => setRunning(false), doublePress);
    if (isApiError(error) && error.status === 'confirmation_required') {
      if (await dispatch(askToConfirm())) return attempt(call, done, resolve);
      setRunning(false);
      resolve(false);
      return;
    }
    const exceeded = limitRefusal(error);
    if (exceeded) {
      const leave = () => {
        setRefused(undefined);
        resolve(false);
      };
      setRefused({ exceeded, again: () => attempt(call, done, resolve), leave });
      return;
    }
    setRefused(undefined);
    const why = isApiError(error) ? errorText(error, 'useChange') : undefined;
    const isMade = error === undefined;
    const failed = t('subscription.change.failed');
    if (isMade) dispatch(subscriptions.util.invalidateTags(['OwnSubscriptions']));
    if (!isMade && hasPlace) setFailure(`${failed}. ${why ?? ''}`);
    else {
      const made = () => (typeof done === 'string' ? done : done(data as Data));
      notify({
        tone: isMade ? 'success' : 'error',
        title: isMade ? made() : failed,
        text: why,
        isAboutMoney: true,
        topic: 'subscription',
      });
    }
    resolve(isMade);
  };
  const make: Change['make'] = (call, done) => new Promise((resolve) => void attempt(call, done, resolve));
  return {
    isRunning,
    make,
    skip: ({ subscriptionId, period, day }) =>
      make(
        () =>
          dispatch(
            subscriptionPayments.endpoints.skipSubscriptionMonth.initiate(
              { subscriptionId, subscriptionSkip: { period } },
              { track: false },
            ),
          ),
        capital(t('subscription.break.skipped', { month: formatMonthName(language, day) })),
      ),
    question: refused && (
      <OverLimit
        exceeded={refused.exceeded}
        onRaised={refused.again}
        leaveLabel={leaveLabel ?? t('spendingLimit.leave')}
        onLeave={() => {
          refused.leave();
          onLeave?.();
        }}
      />
    ),
    leave: () => refused?.leave(),
    failure,
    forget: () => setFailure(undefined),
  };
}
