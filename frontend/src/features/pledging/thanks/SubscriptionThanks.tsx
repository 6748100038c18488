import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { content } from '../../../api/content';
import { selectIsSignedIn } from '../../../api/session';
import { subscriptionPayments, type Subscription as Paying } from '../../../api/subscriptionPayments';
import { useSubscriptionRecordQuery, type Subscription } from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDayOfMonth } from '../../../i18n/dayOfMonth';
import { formatDay, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { AlertCircleIcon, CircleCheckIcon, ClockIcon } from '../../../ui/icons';
import { ShareButton } from '../../../ui/ShareButton';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import { goesOn, hasNotBegun, isPaid } from '../subscription/facts';
import { MonthReceipt } from '../subscription/MonthReceipt';
import { isUnanswered } from '../flow/answer';
import { useLastDefined } from '../useLastDefined';
import steps from './NextSteps.module.css';
import { shortTitle } from './state';
import classes from './ThanksPage.module.css';
import { useHeadingFocus } from './useHeadingFocus';

export interface SubscriptionThanksProps {
  subscriptionId: string;
  /** The provider has confirmed the payment. Otherwise an open one may be unpaid. */
  isSent?: boolean;
  /** For the sign-up form. */
  lastName?: string;
}

type State = 'paid' | 'settling' | 'unpaid' | 'notPaid' | 'ended';

/** The words of the way to pay. */
const again = {
  unpaid: 'thanks.pay',
  notPaid: 'thanks.tryAgain',
  ended: 'subscription.again',
} as const;

/** How the first month stands. Only the payment service knows whether it is paid. */
function stateOf(paying: Paying, isSent: boolean): State {
  if (goesOn(paying)) return 'paid';
  if (paying.status !== 'created') return paying.charges.some(isPaid) ? 'ended' : 'notPaid';
  return isSent || paying.due?.payment?.status === 'processing' ? 'settling' : 'unpaid';
}

/** How the first month stands that the payment service refused to begin; undefined if it did not. */
function stateOfUnbegun(record: Subscription | undefined, error: unknown): State | undefined {
  if (!record || !hasNotBegun(record, error)) return undefined;
  return record.status === 'created' ? 'unpaid' : 'notPaid';
}

/** The thanks page of monthly support. Polls until the first month is paid and its receipt has come. */
export function SubscriptionThanks({ subscriptionId, isSent = false, lastName }: SubscriptionThanksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const recordCall = useSubscriptionRecordQuery(
    { subscriptionId, language },
    { refetchOnMountOrArgChange: true },
  );
  const payingCall = subscriptionPayments.endpoints.subscriptionPayment.useQuery(
    { subscriptionId },
    { refetchOnMountOrArgChange: true },
  );
  const record = useLastDefined(recordCall.data?.subscription);
  const paying = payingCall.data?.subscription;
  const error = recordCall.error ?? payingCall.error;
  const state = paying ? stateOf(paying, isSent) : stateOfUnbegun(record, payingCall.error);
  const receipt = record?.charges.at(-1);
  const refetch = () => {
    void recordCall.refetch();
    void payingCall.refetch();
  };
  const polls = usePolling(
    state === 'settling' || (state === 'paid' && !receipt) || isUnanswered(error),
    refetch,
  );
  useEffect(() => {
    // The cached campaign does not count this supporter yet.
    if (state === 'paid' && record)
      dispatch(content.util.invalidateTags([{ type: 'Campaign', id: record.campaign_id }]));
  }, [state, record, dispatch]);
  const heading = useHeadingFocus(state !== undefined && record !== undefined);

  if (!record || !state) {
    return (
      <div className={`tk-container ${classes.page}`}>
        <h1 className="tk-form-title">{t('thanks.plainTitle')}</h1>
        <Unread of={[recordCall, payingCall]} where="SubscriptionThanks" lines={8} />
      </div>
    );
  }

  const named = { id: record.campaign_id, slug: record.campaign.slug };
  const isGoing = state === 'paid' || state === 'settling';
  return (
    <>
      <div className={`tk-container ${classes.page} ${classes.top}`}>
        <div className={classes.words}>
          <div role="status" className={classes.status} data-state={state}>
            {state === 'paid' || state === 'ended' ? (
              <CircleCheckIcon />
            ) : state === 'notPaid' ? (
              <AlertCircleIcon />
            ) : (
              <ClockIcon />
            )}
            {t(`thanks.status.${state === 'ended' ? 'paid' : state}`)}
          </div>
          <h1 ref={heading} tabIndex={-1}>
            <span className={classes.greeting}>
              {t(isGoing ? 'thanks.greeting' : 'thanks.hello', { name: record.first_name })}
            </span>{' '}
            <Did record={record} state={state} />
          </h1>
          <p className={`tk-lead ${classes.lead}`}>
            <Lead paying={paying} email={record.email} state={state} isSlow={polls >= slowAfterPolls} />
          </p>
          <div className={classes.ways}>
            {isGoing ? (
              <>
                <Button component={Link} to={paths.subscription(language, subscriptionId)} size="lg">
                  {t('subscription.thanks.manage')}
                </Button>
                <ShareButton
                  title={record.campaign.title}
                  path={paths.campaign(language, named)}
                  isBacker
                  variant="outline"
                  size="lg"
                >
                  {t('thanks.share')}
                </ShareButton>
              </>
            ) : (
              <Button component={Link} to={paths.pledgeAmount(language, named, record.amount)} size="lg">
                {t(again[state])}
              </Button>
            )}
            <Button component={Link} to={paths.campaign(language, named)} variant="outline" size="lg">
              {t('thanks.back')}
            </Button>
          </div>
        </div>
        <MonthReceipt record={record} charge={receipt} isOwed={state === 'unpaid' || state === 'notPaid'} />
      </div>
      {isGoing && paying && <Next record={record} paying={paying} lastName={lastName} />}
    </>
  );
}

function Did({ record, state }: { record: Subscription; state: State }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { amount, currency, campaign } = record;
  return t(`subscription.thanks.${state}`, {
    amount: formatMoney(language, amount, { cents: !Number.isInteger(amount), currency }),
    campaign: shortTitle(campaign.title),
  });
}

interface LeadProps {
  paying: Paying | undefined;
  /** Where the receipt comes. */
  email: string | undefined;
  state: State;
  isSlow: boolean;
}

function Lead({ paying, email, state, isSlow }: LeadProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { next_charge: next, anchor_day: anchor } = paying ?? {};
  switch (state) {
    case 'paid':
      return next && anchor
        ? t('subscription.thanks.leadPaid', {
            day: formatDay(language, next.day),
            dayOfMonth: formatDayOfMonth(language, anchor),
          })
        : t('subscription.thanks.leadPlain');
    case 'settling':
      // A bank is processing it, which may take days.
      if (email && paying?.due?.payment?.status === 'processing') return t('thanks.lead.days', { email });
      return t(isSlow ? 'subscription.thanks.leadSlow' : 'subscription.thanks.leadSettling');
    case 'unpaid':
      return t('subscription.thanks.leadUnpaid');
    case 'notPaid':
      return t('subscription.thanks.leadNotPaid');
    case 'ended':
      return t('subscription.state.canceled');
  }
}

interface NextProps {
  record: Subscription;
  paying: Paying;
  lastName: string | undefined;
}

/** What happens next: now, on the day of the next charge, and at any time. */
function Next({ record, paying, lastName = '' }: NextProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { next_charge: next, currency } = paying;
  const prefill = { email: record.email ?? '', first_name: record.first_name, last_name: lastName };
  return (
    <section className={`tk-container ${steps.root}`} aria-labelledby="next">
      <h2 id="next">{t('thanks.next.title')}</h2>
      <ol className={steps.steps}>
        <li>
          <h3 className={steps.when}>{t('thanks.next.now')}</h3>
          <p>{t(isSignedIn ? 'thanks.next.receipt' : 'thanks.next.account')}</p>
          {!isSignedIn && (
            <Button
              variant="light"
              size="sm"
              className={steps.offer}
              onClick={() => dispatch(askToSignIn({ mode: 'signUp', prefill }))}
            >
              {t('auth.makeAccount')}
            </Button>
          )}
        </li>
        {next && (
          <li>
            <h3 className={steps.when}>{formatDay(language, next.day)}</h3>
            <p>
              {t('subscription.thanks.nextText', {
                amount: formatMoney(language, next.amount_minor / 100, { cents: true, currency }),
              })}
            </p>
          </li>
        )}
        <li>
          <h3 className={steps.when}>{t('subscription.thanks.whenever')}</h3>
          <p>{t('subscription.thanks.wheneverText')}</p>
        </li>
      </ol>
    </section>
  );
}
