import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { selectIsSignedIn } from '../../../api/session';
import { useSubscriptionRecordQuery } from '../../../api/subscriptions';
import {
  subscriptionPayments,
  useSubscriptionQuery,
  type Subscription,
} from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { platformDay } from '../../../i18n/format';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { CalendarIcon } from '../../../ui/icons';
import { HeldMonth } from '../../../ui/limit/HeldMonth';
import { notFound, type PageLoaderArgs } from '../../../ui/page';
import { Unread } from '../../../ui/Unread';
import { useNow } from '../../../ui/useNow';
import { usePageTitle } from '../../../ui/usePageTitle';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import { ask } from '../flow/answer';
import { NotYours } from '../links/NotYours';
import { useLastDefined } from '../useLastDefined';
import { ChangeLevel } from './ChangeLevel';
import { Charges } from './Charges';
import { ComingTries, DueMonthForm } from './DueMonth';
import { goesOn, hasNotBegun } from './facts';
import { Months } from './Months';
import { NextCharge } from './NextCharge';
import classes from './SubscriptionPage.module.css';
import { NotBegun, SupportHead, type SupportHeadProps } from './SupportHead';
import { TakeABreak } from './TakeABreak';
import { useCharge } from './useCharge';

export function load({ params }: PageLoaderArgs) {
  if (!/^[0-9A-Za-z]{26}$/.test(params.subscription ?? '')) throw notFound();
}

/** One's monthly support of a campaign: what comes, what has been, and everything that may be changed. */
export function Component() {
  const { subscription: subscriptionId = '' } = useParams();
  const { t } = useTranslation();
  usePageTitle(t('subscription.pageTitle'));
  // A guest's acts are the links that they have by mail.
  if (!useSelector(selectIsSignedIn))
    return (
      <AppMantineProvider>
        <NotYours />
      </AppMantineProvider>
    );
  return <View key={subscriptionId} subscriptionId={subscriptionId} />;
}

function View({ subscriptionId }: { subscriptionId: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const recordCall = useSubscriptionRecordQuery(
    { subscriptionId, language },
    { refetchOnMountOrArgChange: true },
  );
  const call = useSubscriptionQuery({ subscriptionId }, { refetchOnMountOrArgChange: true });
  const record = useLastDefined(recordCall.data?.subscription);
  const subscription = useLastDefined(call.data?.subscription);
  const error = call.error ?? recordCall.error;

  const look = () => {
    void recordCall.refetch();
    // Asks the provider, and its answer takes the place of what is shown.
    return ask(
      dispatch(
        subscriptionPayments.endpoints.subscriptionPayment.initiate(
          { subscriptionId },
          { forceRefetch: true, subscribe: false },
        ),
      ),
    );
  };
  const charge = useCharge(subscriptionId, subscription, look);
  const setLetGo = useLetGo(subscription, () => void call.refetch());
  const lacksReceipt =
    subscription !== undefined &&
    record !== undefined &&
    subscription.charges.some(
      ({ period, status }) => status === 'paid' && !record.charges.some((one) => one.period === period),
    );
  // The receipt is numbered a moment after the payment; one that is late comes with the next visit.
  const [isTired, setTired] = useState(false);
  const receiptPolls = usePolling(lacksReceipt && !isTired, () => void recordCall.refetch());
  if (receiptPolls >= slowAfterPolls && !isTired) setTired(true);

  if (isApiError(error) && error.status === 'not_your_order')
    return (
      <AppMantineProvider>
        <NotYours />
      </AppMantineProvider>
    );
  if (!record && isApiError(recordCall.error) && recordCall.error.http === 404) throw notFound();
  if (record && !subscription && hasNotBegun(record, call.error)) return <NotBegun record={record} />;
  if (!record || !subscription) {
    return (
      <div className={`tk-container ${classes.root}`}>
        <div>
          <h1 className="tk-form-title">{t('subscription.pageTitle')}</h1>
          <Unread
            of={[call, recordCall]}
            where="SubscriptionPage"
            title={t('subscription.failedTitle')}
            lines={12}
          />
        </div>
      </div>
    );
  }
  return (
    <AppMantineProvider>
      <Shown record={record} subscription={subscription} charge={charge} onLetGo={setLetGo} />
    </AppMantineProvider>
  );
}

/**
 * Asks until a month that waited for the spending limit has begun, when its day has come: then it begins within moments.
 * The answer sets which month that is.
 */
function useLetGo(subscription: Subscription | undefined, look: () => void) {
  const [period, setPeriod] = useState<number>();
  const today = platformDay(useNow());
  const next = subscription?.next_charge;
  usePolling(next !== undefined && next.period === period && next.day <= today, look);
  return setPeriod;
}

function Shown({
  record,
  subscription,
  charge,
  onLetGo,
}: SupportHeadProps & { onLetGo: (period: number) => void }) {
  const { due, held, ends_on: endsOn } = subscription;
  // While a month is to be paid or is being charged, what is chosen counts from the one after it.
  const later = subscription.months.find(
    ({ period, state }) => state === 'coming' && (!due || period > due.period),
  );
  const next = subscription.next_charge ?? held ?? later;
  const isPaying = due !== undefined && !charge.isWaiting;
  const isGoing = goesOn(subscription);
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.main}>
        <div className={classes.top}>
          <SupportHead record={record} subscription={subscription} charge={charge} />
          {isPaying && (
            <DueMonthForm
              key={due.period}
              subscription={subscription}
              due={due}
              onConfirmed={charge.finish}
            />
          )}
          {held && (
            <div className={classes.held}>
              <HeldMonth
                key={held.period}
                subscriptionId={subscription.id}
                currency={subscription.currency}
                held={held}
                onLetGo={() => onLetGo(held.period)}
              />
            </div>
          )}
          {!isPaying && <Months subscription={subscription} />}
        </div>
        <div className={classes.rest}>
          {isPaying && <Months subscription={subscription} />}
          {isGoing && next && !endsOn && (
            <ChangeLevel
              subscription={subscription}
              next={next}
              onChanged={() => held && onLetGo(held.period)}
            />
          )}
          {isGoing && <TakeABreak subscription={subscription} later={due && later} record={record} />}
          <Charges subscription={subscription} record={record} />
        </div>
      </div>
      <div className={classes.aside}>
        {isPaying && <ComingTries due={due} />}
        {/* While a month is to be paid, its form is the way to another card, which is charged at once. */}
        {isGoing && !isPaying && <NextCharge subscription={subscription} />}
        {isGoing && <ToCalendar />}
      </div>
    </div>
  );
}

/** The way to what one's other support and pledges are charged, which an account has. */
function ToCalendar() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Link to={paths.moneyCalendar(language)} className={classes.calendar}>
      <CalendarIcon size={16} />
      {t('subscription.next.calendar')}
    </Link>
  );
}
