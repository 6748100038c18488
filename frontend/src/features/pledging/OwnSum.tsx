import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { offeredSums } from '../../domain/amounts';
import { useLanguage } from '../../i18n';
import { AlertCircleIcon } from '../../ui/icons';
import { AmountField } from './AmountField';
import fieldClasses from './fields.module.css';
import type { PledgeForm } from './form/values';
import { price } from './money';
import { OptionRow } from '../../ui/OptionRow';
import classes from './RewardSection.module.css';

export interface OwnSumProps {
  form: PledgeForm;
  currency: string;
}

/** A sum without a reward: some are offered, any other can be typed. None is chosen for the backer. */
export function OwnSum({ form, currency }: OwnSumProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { own_sum: chosen } = form.values;
  return (
    <div className={fieldClasses.opened}>
      <fieldset className={fieldClasses.plainGroup} data-path="own_sum">
        <legend className={fieldClasses.legend}>{t('pledge.ownSum')}</legend>
        <ChoiceError>{form.errorOf('own_sum')}</ChoiceError>
        <div className={classes.sums}>
          {[...offeredSums, 'custom' as const].map((sum) => (
            <OptionRow
              key={sum}
              name="own_sum"
              value={sum}
              isChecked={chosen === sum}
              onChoose={() => form.setValue('own_sum', sum)}
              label={sum === 'custom' ? t('pledge.otherSum') : price(language, Number(sum), currency)}
            />
          ))}
        </div>
      </fieldset>
      {chosen === 'custom' && <AmountField label={t('pledge.field.amount')} {...form.field('amount')} />}
    </div>
  );
}

/** What is wrong with a choice, above it. */
export function ChoiceError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p className={classes.fault}>
      <AlertCircleIcon size={16} />
      <span>{children}</span>
    </p>
  );
}
