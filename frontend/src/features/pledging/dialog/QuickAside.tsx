import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Picture } from '../../../ui/Picture';
import { Progress } from '../../../ui/Progress';
import { doubtOf, type CheckoutPartProps } from '../CheckoutParts';
import { Timeline } from '../Timeline';
import classes from './QuickAside.module.css';

/** Beside the form: the campaign, how far it is, and what happens to the money. */
export function QuickAside({ checkout }: CheckoutPartProps) {
  const { campaign, chosenSum, form, today, flow } = checkout;
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (amount: number) =>
    formatMoney(language, amount, { cents: false, currency: campaign.currency });
  return (
    <div>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.44}
        widths={[340, 680]}
        sizes="21.25rem"
        shape="none"
        className={classes.cover}
      />
      <div className={classes.words}>
        <p className={classes.title}>{campaign.title}</p>
        <p className={classes.creator}>{campaign.creator.name}</p>
        <div className={classes.progress}>
          <Progress
            confirmed={campaign.funding_reached}
            settling={campaign.funding_settling}
            goal={campaign.target_goal}
            minGoal={campaign.min_goal}
            currency={campaign.currency}
            isHidden={campaign.hide_funding_amount}
          />
        </div>
        <p className={classes.raised}>
          {!campaign.hide_funding_amount && <strong>{money(campaign.funding_reached)}</strong>}{' '}
          {t('campaign.goal', { goal: money(campaign.target_goal) })}
        </p>
        {!doubtOf(flow.state) && (
          <Timeline
            campaign={campaign}
            hasReward={false}
            sum={chosenSum ?? t('pledge.quick.yourSum')}
            method={form.values.method}
            today={today}
          />
        )}
      </div>
    </div>
  );
}
