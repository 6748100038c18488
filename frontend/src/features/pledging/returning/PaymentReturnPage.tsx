import { Button } from '../../../ui/Button';
import { useEffect, useMemo, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useSelector } from 'react-redux';
import { isApiError, type ApiError } from '../../../api/apiError';
import { readNow } from '../../../api/extra';
import { orderToken } from '../../../api/orderTokens';
import { selectUser } from '../../../api/session';
import { recallOrderToken } from '../../../api/underWay';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { usePledgeQuery, useRaiseQuery } from '../../../api/pledging';
import { useErrorText } from '../../../i18n/errorText';
import { paymentsApi } from '../../../api/payments';
import { paths } from '../../../domain/paths';
import { raiseToken } from '../../../domain/raiseToken';
import { useLanguage } from '../../../i18n';
import { Cuts } from '../../../ui/Cuts';
import { ErrorState } from '../../../ui/ErrorState';
import type { LinkState } from '../../../ui/linkToken';
import { usePageTitle } from '../../../ui/usePageTitle';
import { failed } from '../flow/answer';
import { linkedOf } from '../linked/linked';
import { forgetDraft, keepPledge, keptPledge } from '../storage';
import { submissionsOf } from '../submissionsOf';
import { AskAPerson, AskNow, UnknownMessage } from '../UnknownPayment';
import { useAskingAgain } from '../../../ui/useAskingAgain';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import classes from './PaymentReturnPage.module.css';
import { Done } from './Done';
import { NotPaid } from './NotPaid';
import { OnItsWay } from './OnItsWay';
import { returnStateOf, type ReturnState } from './returnState';
import { StillAsking } from './StillAsking';
import { useDebit, type DebitState } from './useDebit';

/** Leads to the page of a link, also of a change of a pledge. It goes there once: another state would have it go again. */
function BackToLink({ path, token }: { path: string; token: string }) {
  const state = useMemo((): LinkState => ({ linkToken: token }), [token]);
  return <Navigate replace to={path} state={state} />;
}

/**
 * The return address of the hosted payment page and of banks' pages. Asks for the payment's status and redirects
 * accordingly; what the provider has added to the address decides nothing.
 */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const [query] = useSearchParams();
  const pledgeId = query.get('pledge') ?? '';
  usePageTitle(t('paymentReturn.title'));
  const dispatch = useAppDispatch();
  // A payment page may open another tab, or come back to a browser that was closed meanwhile.
  useState(() => recallOrderToken(pledgeId, () => dispatch(readNow())));
  if (!/^[0-9A-Za-z]{26}$/.test(pledgeId)) {
    return (
      <ReturnView title={t('paymentReturn.unknownTitle')} text={t('paymentReturn.unknownText')}>
        <Button component={Link} to={paths.home(language)} variant="light">
          {t('errorPage.home')}
        </Button>
      </ReturnView>
    );
  }
  const linked = linkedOf(pledgeId);
  if (linked) return <BackToLink path={linked.path} token={linked.token} />;
  const day = query.get('debit') ?? '';
  const debit = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? { day } : undefined;
  const mandateId = query.get('MandateId') ?? undefined;
  return (
    <Returned
      pledgeId={pledgeId}
      wasCanceled={query.get('canceled') === '1'}
      debit={debit && { ...debit, mandateId }}
    />
  );
}

interface ReturnedProps {
  pledgeId: string;
  wasCanceled: boolean;
  /** Of an account: the day on which it was begun (YYYY-MM-DD), and the mandate, if its bank returns here. */
  debit: { day: string; mandateId: string | undefined } | undefined;
}

function Returned({ pledgeId, wasCanceled, debit }: ReturnedProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const who = useSelector(selectUser)?.user_id;
  const paymentCall = paymentsApi.endpoints.pledgePayment.useQuery({ pledgeId });
  const pledgeCall = usePledgeQuery({ pledgeId, language });
  const pledge = pledgeCall.data?.pledge;
  const isNone = isNotFound(paymentCall.error);
  // The address may be of a change of a pledge, which has a page of its own.
  const isNoPledge = !pledge && isNotFound(pledgeCall.error);
  const raiseCall = useRaiseQuery({ raiseId: pledgeId, language }, { skip: !isNoPledge });
  const raise = raiseCall.currentData?.raise;
  const found = paymentCall.data && returnStateOf(paymentCall.data.payment, wasCanceled);
  const submissionsIn = (campaignId: number) =>
    submissionsOf(
      campaignId,
      () => who,
      () => dispatch(readNow()),
    );
  const ofDebit = useDebit({
    pledgeId,
    mandateId: debit?.mandateId,
    isOpen: pledge !== undefined && (isNone || found?.kind === 'waiting'),
    onBegin: () => {
      if (!pledge) return;
      const { campaign_id: campaignId, amount } = pledge;
      submissionsIn(campaignId).underWay({ pledgeId, amount, at: dispatch(readNow()) });
    },
    onDone: () => void paymentCall.refetch(),
  });
  const refused = ofDebit.state.name === 'refused' ? ofDebit.state.status : undefined;
  // Of an account without a mandate nothing was ever asked.
  const isUnasked = isNone && debit !== undefined && debit.mandateId === undefined;
  const returnState: ReturnState | undefined =
    refused !== undefined
      ? { kind: 'notPaid', status: refused }
      : isUnasked
        ? { kind: 'notPaid', status: 'mandate_not_confirmed' }
        : found;
  const polls = usePolling(
    returnState?.kind === 'waiting' && ofDebit.state.name !== 'asking',
    () => void paymentCall.refetch(),
  );

  const isDebited = debit?.mandateId !== undefined && isNone;
  // Nothing is said to have failed before it is known that it is no change either.
  const failure =
    isNoPledge && !isNotFound(raiseCall.error)
      ? raiseCall.error
      : ((isDebited ? undefined : paymentCall.error) ?? pledgeCall.error);
  const { lost, error } = failure && !(returnState && pledge) ? failed(failure) : ofThis(ofDebit.state);
  const isUnknown = lost !== undefined || ofDebit.state.name === 'unknown';
  const askBoth = async () => {
    const [payment] = await Promise.all([
      paymentCall.refetch(),
      pledgeCall.refetch(),
      isNoPledge && raiseCall.refetch(),
    ]);
    // Only once it is known again how it stands.
    if (payment.data || isNotFound(payment.error)) ofDebit.again();
  };
  const asking = useAskingAgain(isUnknown, askBoth);

  const notPaid = returnState?.kind === 'notPaid' ? returnState.status : undefined;
  const isOnItsWay = debit !== undefined && paymentCall.data?.payment.status === 'processing';
  const isPaid = returnState?.kind === 'thanks';
  useEffect(() => {
    if (!pledge) return;
    const submissions = submissionsOf(
      pledge.campaign_id,
      () => who,
      () => dispatch(readNow()),
    );
    if (isPaid) {
      const { last_name } = keptPledge(pledge.campaign_id) ?? {};
      keepPledge({
        pledgeId,
        campaignId: pledge.campaign_id,
        last_name,
        isSent: true,
      });
      submissions.paid(pledgeId, dispatch(readNow()));
      forgetDraft(pledge.campaign_id);
    } else if (notPaid) submissions.settled(pledgeId);
  }, [isPaid, notPaid, pledge, pledgeId, who, dispatch]);

  if (raise) {
    const { raise_id: raiseId, campaign_id: id } = raise;
    const path = paths.pledgePayment(language, { id });
    return <BackToLink path={path} token={raiseToken(raiseId, orderToken(raiseId))} />;
  }
  if (isUnknown) {
    return (
      <ReturnView title={t('pledge.unknown.title')}>
        <div className={classes.unknown}>
          <UnknownMessage asking={asking} late={<AskAPerson number={pledgeId} />}>
            <Trans i18nKey="paymentReturn.unknownState" components={{ b: <strong /> }} />
          </UnknownMessage>
          <AskNow asking={asking} />
        </div>
      </ReturnView>
    );
  }
  if (error?.status === 'not_your_order') {
    // The browser has stored nothing, or another one has opened the address: how it stands is told by mail alone.
    return (
      <ReturnView
        title={t('paymentReturn.unseenTitle')}
        text={t(debit?.mandateId ? 'paymentReturn.unseenDebit' : 'paymentReturn.unseen')}
      >
        <Button component={Link} to={paths.home(language)} variant="light">
          {t('errorPage.home')}
        </Button>
      </ReturnView>
    );
  }
  if (error) {
    return (
      <ReturnView title={t('paymentReturn.failedTitle')}>
        <ErrorState onRetry={() => void askBoth()}>{errorText(error, 'PaymentReturnPage')}</ErrorState>
      </ReturnView>
    );
  }
  const home = pledge && (
    <Button
      component={Link}
      to={paths.campaign(language, { id: pledge.campaign_id, slug: pledge.campaign.slug })}
      variant="light"
    >
      {t('pledge.toCampaign')}
    </Button>
  );
  if (returnState?.kind === 'moneyBack') {
    const isGone = pledge?.refund_reason === 'reward_gone';
    return (
      <ReturnView
        title={t('paymentReturn.moneyBackTitle')}
        text={isGone ? t('paymentReturn.rewardGone') : t('paymentReturn.moneyBack')}
      >
        {home}
      </ReturnView>
    );
  }
  if (pledge && isOnItsWay) return <OnItsWay pledge={pledge} day={debit.day} />;
  if (pledge && isPaid) return <Done pledge={pledge} />;
  if (pledge && notPaid !== undefined)
    return <NotPaid pledge={pledge} status={notPaid} number={paymentCall.data?.payment.payment_id} />;
  const isLong = polls >= slowAfterPolls;
  if (pledge)
    return (
      <StillAsking pledge={pledge} polls={polls} isLong={isLong} isDebit={debit?.mandateId !== undefined}>
        {isLong && home}
      </StillAsking>
    );
  return (
    <ReturnView
      title={t('paymentReturn.title')}
      text={t(debit?.mandateId ? 'paymentReturn.debit.debiting' : 'paymentReturn.waiting')}
      isWaiting
    />
  );
}

const isNotFound = (error: unknown) => isApiError(error) && error.status === 'not_found';

/** Why this page cannot debit. */
function ofThis(state: DebitState): { lost?: ApiError; error?: ApiError } {
  return state.name === 'failed' ? { error: state.error } : {};
}

interface ReturnViewProps {
  title: string;
  text?: string;
  isWaiting?: boolean;
  children?: React.ReactNode;
}

function ReturnView({ title, text, isWaiting = false, children }: ReturnViewProps) {
  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={isWaiting ? classes.waiting : undefined}>
        <Cuts kind="quote" />
      </div>
      <h1 className="tk-form-title">{title}</h1>
      <p role="status" className="tk-lead">
        {text}
      </p>
      {children}
    </div>
  );
}
