import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../api/content';
import { stepsOf, supportersOf } from './rules';
import classes from './StepBars.module.css';

export interface StepBarsProps {
  campaign: CampaignPreview;
}

/** A monthly campaign's goals, one bar each, filled according to the number of supporters. */
export function StepBars({ campaign }: StepBarsProps) {
  const { t } = useTranslation();
  if (!campaign.subscriptions) return null;
  const reached = supportersOf(campaign);
  const steps = stepsOf(campaign.subscriptions, reached);
  const isReached = steps.filter(({ state }) => state === 'reached').length;
  const label = [
    campaign.hide_member_count ? undefined : t('campaign.supporters', { count: reached }),
    t('campaign.stepsReached', { count: isReached, steps: steps.length }),
  ];
  return (
    <div role="img" aria-label={label.filter(Boolean).join(', ')} className={classes.root}>
      {steps.map(({ goalId, share }) => (
        <div key={goalId} className={classes.step}>
          <div className={classes.fill} style={{ width: `${share * 100}%` }} />
        </div>
      ))}
    </div>
  );
}
