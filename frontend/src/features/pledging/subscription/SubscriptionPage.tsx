import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { selectIsSignedIn } from '../../../api/session';
import {
  useSubscriptionRecordQuery,
  type Subscription as SubscriptionRecord,
} from '../../../api/subscriptions';
import {
  subscriptionPayments,
  useSubscriptionQuery,
  type Subscription,
} from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { ArrowLeftIcon } from '../../../ui/icons';
import { HeldMonth } from '../../../ui/limit/HeldMonth';
import { notFound, type PageLoaderArgs } from '../../../ui/page';
import { Picture } from '../../../ui/Picture';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useNow } from '../../../ui/useNow';
import { usePageTitle } from '../../../ui/usePageTitle';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import { ask } from '../flow/ask';
import { useLastDefined } from '../useLastDefined';
import { ChangeLevel } from './ChangeLevel';
import { Charges } from './Charges';
import { ComingTries, DueMonthForm } from './DueMonth';
import { goesOn } from './facts';
import { Months } from './Months';
import { NextCharge } from './NextCharge';
import classes from './SubscriptionPage.module.css';
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
  return <View key={subscriptionId} subscriptionId={subscriptionId} />;
}

function View({ subscriptionId }: { subscriptionId: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
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

  if (!record && isApiError(recordCall.error) && recordCall.error.http === 404) throw notFound();
  if (!record || !subscription) {
    return (
      <div className={`tk-container ${classes.root}`}>
        <div>
          <h1 className="tk-form-title">{t('subscription.pageTitle')}</h1>
          {error ? (
            <ErrorState
              title={t('subscription.failedTitle')}
              onRetry={() => {
                void call.refetch();
                void recordCall.refetch();
              }}
            >
              {isApiError(error) && errorText(error, 'SubscriptionPage')}
            </ErrorState>
          ) : (
            <LinesSkeleton lines={12} />
          )}
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

interface ShownProps {
  record: SubscriptionRecord;
  subscription: Subscription;
  charge: ReturnType<typeof useCharge>;
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
}: ShownProps & { onLetGo: (period: number) => void }) {
  const { due, held, ends_on: endsOn } = subscription;
  const next = subscription.next_charge ?? held;
  const isPaying = due !== undefined && !charge.isWaiting;
  const isGoing = goesOn(subscription);
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.main}>
        <div className={classes.top}>
          <Head record={record} subscription={subscription} charge={charge} />
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
          {isGoing && <TakeABreak subscription={subscription} record={record} />}
          <Charges subscription={subscription} record={record} />
        </div>
      </div>
      <div className={classes.aside}>
        {isPaying && <ComingTries due={due} />}
        {/* While a month is to be paid, its form is the way to another card, which is charged at once. */}
        {isGoing && !isPaying && <NextCharge subscription={subscription} />}
      </div>
    </div>
  );
}

/** The campaign, how long it has been supported, and in words what is not as usual. */
function Head({ record, subscription, charge }: ShownProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { campaign, currency } = record;
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const paid = subscription.charges.filter(
    ({ status }) => status === 'paid' || status === 'partly_refunded' || status === 'disputed',
  );
  const sum = paid.reduce((all, one) => all + one.amount_minor - one.amount_refunded_minor, 0);
  const state = useStateText(subscription, charge.isWaiting);
  const isOver = subscription.status === 'canceled' || subscription.status === 'expired';
  return (
    <>
      <Link
        to={isSignedIn ? paths.mySubscriptions(language) : paths.campaign(language, named)}
        className={classes.back}
      >
        <ArrowLeftIcon size={16} />
        {isSignedIn ? t('subscription.list') : t('pledge.toCampaign')}
      </Link>
      <div className={classes.head}>
        <Picture
          name={campaign.project_pic}
          alt=""
          ratio={176 / 110}
          widths={[176, 352]}
          sizes="(min-width: 40em) 11rem, 5.25rem"
          shape="thumb"
          isFirst
        />
        <div>
          <h1 className={classes.title}>
            <Link to={paths.campaign(language, named)}>{campaign.title}</Link>
          </h1>
          {subscription.anchor_day && paid.length > 0 && (
            <p className={classes.since}>
              {t('subscription.since', {
                month: formatMonthName(language, subscription.anchor_day),
                year: subscription.anchor_day.slice(0, 4),
                count: paid.length,
                sum: formatMoney(language, sum / 100, { cents: true, currency }),
              })}
            </p>
          )}
        </div>
      </div>
      <div role="status">{state && <p className={classes.state}>{state}</p>}</div>
      {isOver && takesPledges(campaign.stage) && (
        <Button
          component={Link}
          variant="light"
          className={classes.again}
          to={paths.pledgeAmount(language, named, record.amount)}
        >
          {t('subscription.again')}
        </Button>
      )}
    </>
  );
}

/** What is not as usual, in words; undefined if all is. */
function useStateText(subscription: Subscription, isWaiting: boolean): string | undefined {
  const { t } = useTranslation();
  const language = useLanguage();
  const { status, meta, ends_on: endsOn, paused_until: pausedUntil, next_charge: next } = subscription;
  if (status === 'canceled')
    return [
      t('subscription.state.canceled'),
      meta.ended_because && t(`subscription.because.${meta.ended_because}`),
    ]
      .filter(Boolean)
      .join(' ');
  if (status === 'expired') return t('subscription.state.expired');
  if (isWaiting) return t('subscription.state.processing');
  if (endsOn) return t('subscription.state.ending', { day: formatDay(language, endsOn) });
  const until = pausedUntil ?? next?.day;
  if (status === 'paused' && until)
    return t('subscription.state.paused', { day: formatDay(language, until) });
  return undefined;
}
