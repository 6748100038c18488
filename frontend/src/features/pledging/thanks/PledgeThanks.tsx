import { Button } from '../../../ui/Button';
import { useEffect, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, type Campaign } from '../../../api/content';
import { usePledgeQuery, type Pledge } from '../../../api/pledging';
import { paymentsApi } from '../../../api/payments';
import { decidingGoal, isReached } from '../../../domain/goals';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, formatTime } from '../../../i18n/format';
import { AlertCircleIcon, CircleCheckIcon, ClockIcon } from '../../../ui/icons';
import { Progress } from '../../../ui/Progress';
import { ShareButton } from '../../../ui/ShareButton';
import type { KeptPledge } from '../storage';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { isUnanswered } from '../flow/answer';
import { useLastDefined } from '../useLastDefined';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import { NextSteps } from './NextSteps';
import { PlainThanks } from './PlainThanks';
import { Receipt } from '../../../ui/Receipt';
import { Unread } from '../../../ui/Unread';
import { needsPayment, shortTitle, thanksState, type ThanksState } from './state';
import classes from './ThanksPage.module.css';
import { useHeadingFocus } from './useHeadingFocus';

export interface PledgeThanksProps {
  campaign: Campaign;
  kept: KeptPledge;
}

/** The thanks page of a pledge. Polls while a bank is processing the payment, and shows the receipt when it is paid. */
export function PledgeThanks({ campaign, kept }: PledgeThanksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pledgeId } = kept;
  const pledgeCall = usePledgeQuery({ pledgeId, language }, { refetchOnMountOrArgChange: true });
  const pledge = useLastDefined(pledgeCall.data?.pledge);
  const asksPayment = pledge !== undefined && needsPayment(pledge, kept.isSent ?? false);
  const paymentCall = paymentsApi.endpoints.pledgePayment.useQuery({ pledgeId }, { skip: !asksPayment });
  const { error: paymentError } = paymentCall;
  const hasNone = isApiError(paymentError) && paymentError.status === 'not_found';
  const payment = hasNone ? null : paymentCall.data?.payment;
  const isKnown = !asksPayment || payment !== undefined;
  const state = pledge && isKnown ? thanksState(pledge, asksPayment ? payment : undefined) : undefined;
  const error = pledgeCall.error ?? paymentError;
  const refetch = () => {
    void pledgeCall.refetch();
    if (asksPayment) void paymentCall.refetch();
  };
  const polls = usePolling(state === 'settling' || isUnanswered(error), refetch);
  const dispatch = useAppDispatch();
  const campaignId = campaign.campaign_id;
  useEffect(() => {
    // The cached campaign does not include this pledge yet.
    if (state === 'paid') dispatch(content.util.invalidateTags([{ type: 'Campaign', id: campaignId }]));
  }, [state, campaignId, dispatch]);

  const heading = useHeadingFocus(state !== undefined);

  // Another browser, or another day: the receipt is in the mail.
  if (isApiError(error) && error.status === 'not_your_order')
    return (
      <PlainThanks campaign={campaign}>{t('thanks.plainText', { campaign: campaign.title })}</PlainThanks>
    );

  if (!pledge || !state) {
    const hasFailed = error && !pledgeCall.isFetching && !paymentCall.isFetching;
    const checking = hasFailed ? t('paymentReturn.failedTitle') : t('paymentReturn.title');
    return (
      <div className={`tk-container ${classes.page}`}>
        <h1 className="tk-form-title">{kept.isSent ? t('thanks.plainTitle') : checking}</h1>
        <Unread of={[pledgeCall, paymentCall]} where="ThanksPage" lines={8} />
      </div>
    );
  }

  const named = { id: campaign.campaign_id, slug: campaign.slug };
  const { funding_reached: confirmed, funding_settling: settling, hide_funding_amount } = pledge.campaign;
  return (
    <>
      <div className={`tk-container ${classes.page} ${classes.top}`}>
        <div className={classes.words}>
          <div role="status" className={classes.status} data-state={state}>
            {state === 'paid' ? (
              <CircleCheckIcon />
            ) : state === 'settling' || state === 'unpaid' ? (
              <ClockIcon />
            ) : (
              <AlertCircleIcon />
            )}
            {t(`thanks.status.${state}`)}
          </div>
          <Title pledge={pledge} state={state} ref={heading} />
          <p className={`tk-lead ${classes.lead}`}>
            <Lead pledge={pledge} state={state} isSlow={polls >= slowAfterPolls} />
          </p>
          {(state === 'paid' || state === 'settling') && (
            <div className={classes.progress}>
              <Progress
                confirmed={confirmed}
                settling={settling}
                goal={pledge.campaign.target_goal}
                minGoal={pledge.campaign.min_goal}
                currency={pledge.currency}
                isHidden={hide_funding_amount}
                hasLegend
              />
            </div>
          )}
          <div className={classes.ways}>
            {state === 'notPaid' || state === 'unpaid' ? (
              <Button
                component={Link}
                to={
                  pledge.reward_id
                    ? paths.pledgeReward(language, named, pledge.reward_id)
                    : paths.pledge(language, named)
                }
                size="lg"
              >
                {state === 'unpaid' ? t('thanks.pay') : t('thanks.tryAgain')}
              </Button>
            ) : (
              <ShareButton
                title={campaign.title}
                path={paths.campaign(language, named)}
                isBacker={state === 'paid' || state === 'settling'}
                size="lg"
              >
                {t('thanks.share')}
              </ShareButton>
            )}
            <Button component={Link} to={paths.campaign(language, named)} variant="outline" size="lg">
              {t('thanks.back')}
            </Button>
          </div>
        </div>
        <Receipt pledge={pledge} campaign={campaign} isOwed={state === 'unpaid' || state === 'notPaid'} />
      </div>
      {(state === 'paid' || state === 'settling') && (
        <NextSteps pledge={pledge} lastName={kept.last_name ?? ''} />
      )}
    </>
  );
}

interface TextProps {
  pledge: Pledge;
  state: ThanksState;
}

/** The heading: what the pledge did, such as how much closer the goal is. */
function Title({ pledge, state, ref }: TextProps & { ref: Ref<HTMLHeadingElement> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { amount, currency, first_name: name, campaign } = pledge;
  const isOver = isReached(campaign.funding_reached, decidingGoal(campaign));
  const facts = {
    amount: formatMoney(language, amount, { cents: !Number.isInteger(amount), currency }),
    campaign: shortTitle(campaign.title),
  };
  const key = state === 'paid' && isOver && !campaign.hide_funding_amount ? 'over' : state;
  return (
    <h1 ref={ref} tabIndex={-1}>
      <span className={classes.greeting}>
        {state === 'paid' || state === 'settling'
          ? t('thanks.greeting', { name })
          : t('thanks.hello', { name })}
      </span>{' '}
      {t(`thanks.did.${key}`, facts)}
    </h1>
  );
}

function Lead({ pledge, state, isSlow }: TextProps & { isSlow: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { email, backer_number: number, nth_pledge: nth = 1 } = pledge;
  switch (state) {
    case 'paid':
      if (nth > 1)
        return t(nth === 2 ? 'thanks.lead.second' : 'thanks.lead.later', {
          number: formatCount(language, nth),
          email,
        });
      return number
        ? t('thanks.lead.numbered', { number: formatCount(language, number), email })
        : t('thanks.lead.paid', { email });
    case 'settling':
      // A bank is processing it, which may take days.
      if (pledge.status === 'processing') return t('thanks.lead.days', { email });
      return isSlow ? t('thanks.lead.slow', { email }) : t('thanks.lead.settling', { email });
    case 'unpaid':
      return t('thanks.lead.unpaid', { time: formatTime(language, pledge.reserved_until) });
    case 'refunded':
      return pledge.refund_reason === 'reward_gone' ? t('thanks.lead.rewardGone') : t('thanks.lead.refunded');
    case 'notPaid':
      return t('thanks.lead.notPaid');
  }
}
