import { useTranslation } from 'react-i18next';
import { campaignStages } from '../../../domain/stages';
import { OptionRow } from '../../../ui/OptionRow';
import { SwitchField } from '../../../ui/SwitchField';
import { Conflict } from './Conflict';
import { AskHeld, Fixed } from './Approved';
import approved from './Approved.module.css';
import { useEditor } from './useCampaignEditor';
import { FieldErrorText } from './FieldErrorText';
import { PartField, SumField } from './fields';
import classes from './MoneyAndTime.module.css';
import { kindOf } from './parts';
import { SidePanel } from './SidePanel';

const rules = ['all_or_nothing', 'keep_what_is_raised'] as const;

/** The funding goals, the dates, the funding rule, and which figures are hidden from visitors. */
export function MoneyAndTime() {
  const { t } = useTranslation();
  const { admin, parts, refused, set } = useEditor();
  const isOpen = kindOf(admin, 'funding_rule') === 'fixed';
  const isMonthly = admin.opens_as === campaignStages.recurring;
  return (
    <SidePanel title={t('editing.campaign.money.title')} id="money" reviewParts={['goal', 'dates']}>
      <Conflict place="money" />
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
      {!isMonthly &&
        (isOpen ? (
          <Fixed label={t('editing.campaign.money.rule')}>
            {t(`editing.campaign.money.${parts.funding_rule}`)}
          </Fixed>
        ) : (
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
            <AskHeld parts={['funding_rule']} />
            <FieldErrorText error={refused.funding_rule} />
          </fieldset>
        ))}
      {isOpen && <p className={approved.why}>{t('editing.campaign.approved.fixed')}</p>}
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
