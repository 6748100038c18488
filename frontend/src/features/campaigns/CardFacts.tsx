import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../api/content';
import { isRecurring } from '../../domain/stages';
import { timeLeft } from '../../domain/timeLeft';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, formatPercent } from '../../i18n/format';
import { Progress } from '../../ui/Progress';
import classes from './CardFacts.module.css';
import { campaignState, isWithoutSupporters, percentOf, stepsOf, supportersOf } from './rules';
import { StepBars } from './StepBars';
import { useNow } from '../../ui/useNow';

export interface CardFactsProps {
  campaign: CampaignPreview;
}

/** The progress bar and the line below it: percentage, sums and the time left. */
export function CardFacts({ campaign }: CardFactsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const state = campaignState(campaign, useNow());
  const money = (amount: number) =>
    formatMoney(language, amount, { cents: false, currency: campaign.currency });

  if (isRecurring(campaign.stage)) {
    const total = campaign.subscriptions?.subscriptions_amount_total ?? 0;
    // Without supporters the first goal is shown instead of zeros.
    const { subscriptions } = campaign;
    const first = isWithoutSupporters(campaign) && subscriptions && stepsOf(subscriptions, 0)[0];
    return (
      <>
        <StepBars campaign={campaign} />
        <p className={classes.line}>
          {first ? (
            <span>{t('campaign.firstGoal', { count: first.target })}</span>
          ) : (
            <span>
              {!campaign.hide_member_count && (
                <b className={classes.raised}>
                  {t('campaign.supporters', { count: supportersOf(campaign) })}
                </b>
              )}
              {!campaign.hide_funding_amount && <> · {t('campaign.aMonth', { amount: money(total) })}</>}
            </span>
          )}
          <span className={classes.time}>{t(state === 'held' ? 'stage.held' : 'stage.recurring')}</span>
        </p>
      </>
    );
  }

  if (state === 'preparing') {
    const opens = campaign.funding_start ?? campaign.first_day_of_funding;
    return (
      <p className={classes.line}>
        <span>
          {t('stage.preparing')}
          {campaign.target_goal > 0 && !campaign.hide_funding_amount && (
            <> · {t('campaign.goal', { goal: money(campaign.target_goal) })}</>
          )}
        </span>
        {opens && (
          <span className={classes.time}>{t('campaign.opens', { day: formatDay(language, opens) })}</span>
        )}
      </p>
    );
  }

  return (
    <>
      <Progress
        size="sm"
        confirmed={campaign.funding_reached}
        settling={campaign.funding_settling}
        goal={campaign.target_goal}
        minGoal={campaign.min_goal}
        currency={campaign.currency}
        isHidden={campaign.hide_funding_amount}
      />
      <p className={classes.line}>
        {campaign.hide_funding_amount ? (
          <span>{t('progress.hidden')}</span>
        ) : (
          <span>
            <b className={classes.percent}>{formatPercent(language, percentOf(campaign))}</b>{' '}
            <b className={classes.raised}>{money(campaign.funding_reached)}</b> /{' '}
            {/* A campaign without a goal is shown only as the preview in the form that creates one. */}
            {campaign.target_goal > 0 ? money(campaign.target_goal) : t('begin.goalNext')}
          </span>
        )}
        <TimeText campaign={campaign} />
      </p>
    </>
  );
}

/** The time left, or how the campaign ended. */
function TimeText({ campaign }: CardFactsProps) {
  const { t } = useTranslation();
  const now = useNow();
  const state = campaignState(campaign, now);
  if (state !== 'open') {
    const key =
      state === 'over' ? 'time.over' : state === 'monthly' ? 'stage.recurring' : (`stage.${state}` as const);
    return <span className={classes.time}>{t(key)}</span>;
  }
  if (!campaign.funding_deadline) return null;
  const left = timeLeft(new Date(campaign.funding_deadline).getTime(), now);
  if (left.unit === 'over') return null;
  return <span className={classes.time}>{t(`campaign.${left.unit}`, { count: left.count })}</span>;
}
