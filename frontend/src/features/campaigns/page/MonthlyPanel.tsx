import { useTranslation } from 'react-i18next';
import type { RefCallback } from 'react';
import type { Campaign } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Money } from '../../../ui/Money';
import { PaymentOff } from '../../../ui/paymentOff/lazyPaymentOff';
import { ShareButton } from '../../../ui/ShareButton';
import { isWithoutSupporters, stepsOf, supportersOf } from '../rules';
import { GoalLadder } from './GoalLadder';
import { GuestBox, SupportBox } from './MineBox';
import { UnderWayBox } from '../../../ui/underWay/UnderWayBox';
import { LikeButton } from './LikeButton';
import { pledgePath } from './pledgePath';
import { MonthlySupport } from './MonthlySupport';
import type { Mine } from './useMine';
import { useMonthlyChoice } from './useMonthlyChoice';
import classes from './MonthlyPanel.module.css';
import panel from './PledgePanel.module.css';

export interface MonthlyPanelProps {
  campaign: Campaign;
  mine: Mine;
  /** The ref for the panel's main button. */
  buttonRef: RefCallback<Element>;
}

/** The panel of a monthly campaign: the monthly sum, its goals and levels. */
export function MonthlyPanel({ campaign, mine, buttonRef }: MonthlyPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { subscriptions, currency } = campaign;
  const supporters = supportersOf(campaign);
  const { levels, path } = useMonthlyChoice(campaign);
  const lowest = levels[0]?.amount;
  // Without supporters, the lowest level is shown in place of a large zero.
  const isNew = isWithoutSupporters(campaign) && lowest !== undefined;

  return (
    <section aria-label={t('campaignPage.panel')} className={panel.root}>
      {isNew ? (
        <p>
          <span className={classes.from}>{t('campaignPage.startingAt')}</span>{' '}
          <Money amount={lowest} currency={currency} />{' '}
          <span className={classes.month}>{t('campaignPage.inMonth')}</span>
        </p>
      ) : campaign.hide_funding_amount ? (
        <p className={panel.hidden}>{t('progress.hidden')}</p>
      ) : (
        <p>
          <Money amount={subscriptions?.subscriptions_amount_total ?? 0} currency={currency} />{' '}
          <span className={classes.month}>{t('campaignPage.inMonth')}</span>
        </p>
      )}
      {isNew && <p className={panel.under}>{t('campaignPage.noSupporters')}</p>}
      {!isNew && !campaign.hide_member_count && (
        <p className={panel.under}>
          {t('campaignPage.from')}{' '}
          <b className={classes.count}>{t('campaignPage.fromSupporters', { count: supporters })}</b>
        </p>
      )}
      {mine.guest && <GuestBox guest={mine.guest} campaign={campaign} onForget={mine.forgetGuest} />}
      {mine.underWay && (
        <div ref={buttonRef}>
          <UnderWayBox payment={mine.underWay} currency={currency} path={pledgePath(language, campaign)} />
        </div>
      )}
      {mine.support && !mine.underWay && (
        <div ref={buttonRef}>
          <SupportBox support={mine.support} morePath={path} />
        </div>
      )}
      {subscriptions && subscriptions.subscriptions_goals.length > 0 && (
        <div id="goals" data-aside="" className={classes.goals}>
          <GoalLadder
            steps={stepsOf(subscriptions, supporters)}
            supporters={campaign.hide_member_count ? undefined : supporters}
          />
        </div>
      )}
      {!mine.support &&
        !mine.underWay &&
        (campaign.is_unpayable ? (
          <div className={panel.off}>
            <PaymentOff campaignId={campaign.campaign_id} />
          </div>
        ) : (
          <MonthlySupport campaign={campaign} buttonRef={buttonRef} />
        ))}
      <div className={panel.pair}>
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
