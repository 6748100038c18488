import { ActionBar } from '../../../ui/ActionBar';
import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { isRecurring } from '../../../domain/stages';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatPercent } from '../../../i18n/format';
import { isWithoutSupporters, percentOf } from '../rules';
import { useNow } from '../../../ui/useNow';
import classes from './PhoneBar.module.css';
import type { SupportLink } from './pledgePath';

export interface PhoneBarProps {
  campaign: Campaign;
  support: SupportLink;
  /** True while the panel's own button is off the screen. */
  isShown: boolean;
}

/** On phones: progress and the pledge button at the bottom of the screen. */
export function PhoneBar({ campaign, support, isShown }: PhoneBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const left = campaign.funding_deadline
    ? timeLeft(new Date(campaign.funding_deadline).getTime(), now)
    : undefined;
  const isMonthly = isRecurring(campaign.stage);
  const share =
    campaign.hide_funding_amount || isMonthly ? undefined : formatPercent(language, percentOf(campaign));
  const total = campaign.subscriptions?.subscriptions_amount_total;
  const sum = isMonthly ? (isWithoutSupporters(campaign) ? undefined : total) : campaign.funding_reached;
  const time =
    left && left.unit !== 'over'
      ? t('campaignPage.timeLeft', { time: t(`campaign.${left.unit}`, { count: left.count }) })
      : undefined;
  return (
    <ActionBar className={classes.bar} isShown={isShown}>
      <p className={classes.words}>
        {!campaign.hide_funding_amount && sum !== undefined && (
          <b className={classes.sum}>
            {formatMoney(language, sum, { cents: false, currency: campaign.currency })}
          </b>
        )}
        <span className={classes.facts}>
          {share && <span className={time && classes.share}>{share}</span>}
          {share && time && <span className={classes.share}> · </span>}
          {isMonthly ? sum !== undefined && t('campaignPage.inMonth') : time}
        </span>
      </p>
      <Button component={Link} to={support.path} size="lg" className={classes.act}>
        {support.label}
      </Button>
    </ActionBar>
  );
}
