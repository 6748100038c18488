import { useTranslation } from 'react-i18next';
import { campaignStages } from '../../../domain/stages';
import { OptionRow } from '../../../ui/OptionRow';
import { SwitchField } from '../../../ui/SwitchField';
import { useWriting } from './context';
import { PartField, SumField } from './fields';
import classes from './MoneyAndTime.module.css';
import { SidePanel } from './SidePanel';

const rules = ['all_or_nothing', 'keep_what_is_raised'] as const;

/** The funding goals, the dates, the funding rule, and which figures are hidden from visitors. */
export function MoneyAndTime() {
  const { t } = useTranslation();
  const { admin, parts, set } = useWriting();
  const isMonthly = admin.opens_as === campaignStages.recurring;
  return (
    <SidePanel title={t('editing.campaign.money.title')} id="money" reviewParts={['goal', 'dates']}>
      {!isMonthly && (
        <>
          <SumField part="min_goal" label={t('editing.campaign.part.min_goal')} isOptional />
          <SumField part="target_goal" label={t('editing.campaign.part.target_goal')} />
        </>
      )}
      <div className={classes.days}>
        <PartField
          part="first_day_of_funding"
          label={t('editing.campaign.part.first_day_of_funding')}
          type="date"
        />
        {!isMonthly && (
          <PartField
            part="last_day_of_funding"
            label={t('editing.campaign.part.last_day_of_funding')}
            type="date"
          />
        )}
      </div>
      {!isMonthly && (
        <fieldset className={classes.rules}>
          <legend>{t('editing.campaign.money.rule')}</legend>
          {rules.map((rule) => (
            <OptionRow
              key={rule}
              name="funding-rule"
              value={rule}
              isPlain
              isChecked={parts.funding_rule === rule}
              onChoose={() => set('funding_rule', rule)}
              label={t(`editing.campaign.money.${rule}`)}
            />
          ))}
        </fieldset>
      )}
      <div className={classes.switches}>
        <SwitchField
          label={t('editing.campaign.part.hideFundingAmount')}
          isOn={parts.hideFundingAmount}
          onChange={(isOn) => set('hideFundingAmount', isOn)}
        />
        <SwitchField
          label={t('editing.campaign.part.hideMemberCount')}
          isOn={parts.hideMemberCount}
          onChange={(isOn) => set('hideMemberCount', isOn)}
        />
      </div>
    </SidePanel>
  );
}
