import { Button } from '../../../ui/Button';
import type { RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney } from '../../../i18n/format';
import { moneyTexts } from '../../../i18n/moneyTexts';
import { Money } from '../../../ui/Money';
import { PaymentOff } from '../../../ui/paymentOff/lazyPaymentOff';
import { Progress } from '../../../ui/Progress';
import { UnderWayBox } from '../../../ui/underWay/UnderWayBox';
import { ShareButton } from '../../../ui/ShareButton';
import type { CampaignState } from '../rules';
import { LikeButton } from './LikeButton';
import { GuestBox, PledgesBox } from './MineBox';
import { PanelFigures } from './PanelFigures';
import classes from './PledgePanel.module.css';
import { pledgePath } from './pledgePath';
import { QuickPledge } from './QuickPledge';
import type { Mine } from './useMine';

export interface PledgePanelProps {
  campaign: Campaign;
  state: Exclude<CampaignState, 'monthly' | 'held' | 'stopped'>;
  mine: Mine;
  chosenReward?: number;
  /** The ref for the panel's main button. */
  buttonRef: RefCallback<Element>;
}

/** The panel of a one-off campaign: sums, time and the pledge button. */
export function PledgePanel({ campaign, state, mine, chosenReward, buttonRef }: PledgePanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, funding_reached, funding_settling, target_goal, min_goal } = campaign;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const goal = money(target_goal);
  const words = moneyTexts(campaign, { t, language, hasReward: chosenReward !== undefined });
  const closedText = () => {
    const opens = campaign.first_day_of_funding;
    if (state === 'over') return t('money.ended.open');
    if (state !== 'preparing') return words.ended;
    return opens
      ? t('campaignPage.opensLong', { day: formatDate(language, opens) })
      : t('campaignPage.opensSoon');
  };

  return (
    <section aria-label={t('campaignPage.panel')} className={classes.root}>
      {state === 'preparing' ? (
        <>
          <p className={classes.hidden}>{t('stage.preparing')}</p>
          {target_goal > 0 && <p className={classes.under}>{t('campaign.goal', { goal })}</p>}
        </>
      ) : campaign.hide_funding_amount ? (
        <>
          <p className={classes.hidden}>{t('progress.hidden')}</p>
          <p className={classes.under}>{t('campaign.goal', { goal })}</p>
        </>
      ) : (
        <>
          <p>
            <Money amount={funding_reached} currency={currency} />
          </p>
          <p className={classes.under}>{t('campaign.raisedOf', { goal })}</p>
        </>
      )}
      {state !== 'preparing' && (
        <div className={classes.progress}>
          <Progress
            confirmed={funding_reached}
            settling={funding_settling}
            goal={target_goal}
            minGoal={min_goal}
            currency={currency}
            isHidden={campaign.hide_funding_amount}
            hasLegend={!campaign.hide_funding_amount}
            isSumAbove
          />
        </div>
      )}
      <PanelFigures campaign={campaign} state={state} />
      {mine.guest && <GuestBox guest={mine.guest} campaign={campaign} onForget={mine.forgetGuest} />}
      {mine.underWay && (
        <div ref={buttonRef}>
          <UnderWayBox payment={mine.underWay} currency={currency} path={pledgePath(language, campaign)} />
        </div>
      )}
      {!mine.underWay && (state === 'open' || mine.pledges.length > 0) && (
        <div ref={buttonRef}>
          {mine.pledges.length > 0 && (
            <PledgesBox
              pledges={mine.pledges}
              morePath={
                state === 'open' && !campaign.is_unpayable
                  ? pledgePath(language, campaign, chosenReward)
                  : undefined
              }
            />
          )}
          {state === 'open' && campaign.is_unpayable && (
            <PaymentOff campaignId={campaign.campaign_id} deadline={campaign.funding_deadline} />
          )}
          {state === 'open' && !campaign.is_unpayable && mine.pledges.length === 0 && (
            <>
              <Button component={Link} to={pledgePath(language, campaign, chosenReward)} size="xl" fullWidth>
                {t('campaign.join')}
              </Button>
              {chosenReward === undefined && <QuickPledge path={pledgePath(language, campaign)} />}
              <p className={classes.charge}>{words.charge}</p>
            </>
          )}
        </div>
      )}
      {state !== 'open' && <p className={classes.ended}>{closedText()}</p>}
      <div className={classes.pair}>
        <LikeButton campaign={campaign} />
        <ShareButton
          title={campaign.title}
          path={paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug })}
          variant="outline"
          size="sm"
        >
          {t('campaignPage.share')}
        </ShareButton>
      </div>
    </section>
  );
}
