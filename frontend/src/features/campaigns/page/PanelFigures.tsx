import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatCount, formatDay, formatPastDay, timeLeftText } from '../../../i18n/format';
import { endsOnItsLastDay, type CampaignState } from '../rules';
import { useNow } from '../../../ui/useNow';
import classes from './PanelFigures.module.css';

export interface PanelFiguresProps {
  campaign: Campaign;
  state: CampaignState;
}

/** The number of backers and the time left. */
export function PanelFigures({ campaign, state }: PanelFiguresProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const deadline = campaign.funding_deadline;
  const left = deadline ? timeLeftText(timeLeft(new Date(deadline).getTime(), now)) : undefined;
  const opens = campaign.funding_start ?? campaign.first_day_of_funding;

  return (
    <dl className={classes.root}>
      {state !== 'preparing' && !campaign.hide_member_count && (
        <div>
          <dt>{t('campaign.backersWord', { count: campaign.number_of_backers })}</dt>
          <dd>{formatCount(language, campaign.number_of_backers)}</dd>
        </div>
      )}
      {state === 'preparing' && opens && (
        <div>
          <dt>{t('campaignPage.openingDay')}</dt>
          <dd>{formatDay(language, opens)}</dd>
        </div>
      )}
      {state === 'open' && deadline && left && (
        <div>
          <dt>{t('campaignPage.leftUntil', { day: formatDay(language, deadline) })}</dt>
          <dd>{t(left.key, { count: left.count })}</dd>
        </div>
      )}
      {endsOnItsLastDay(state) && deadline && (
        <div>
          <dt>{t('campaignPage.endedOn')}</dt>
          <dd>{formatPastDay(language, deadline, now)}</dd>
        </div>
      )}
    </dl>
  );
}
