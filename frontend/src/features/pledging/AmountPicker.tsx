import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { suggestedAmounts } from '../../domain/amounts';
import { useLanguage } from '../../i18n';
import { AlertCircleIcon } from '../../ui/icons';
import { AmountField } from '../../ui/AmountField';
import fieldClasses from './fields.module.css';
import type { PledgeForm } from './form/values';
import { price } from './money';
import { OptionRow } from '../../ui/OptionRow';
import classes from './RewardSection.module.css';

export interface AmountPickerProps {
  form: PledgeForm;
  currency: string;
  /** It stands alone: four toggles in a row, where there is room. */
  isRow?: boolean;
}

/** The amount of a pledge without a reward: a suggested one or a typed one. None is preselected. */
export function AmountPicker({ form, currency, isRow = false }: AmountPickerProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { chosen_amount: chosen } = form.values;
  return (
    <div className={isRow ? classes.amount : fieldClasses.opened}>
      <fieldset className={fieldClasses.plainGroup} data-path="chosen_amount">
        <legend className={fieldClasses.legend}>{t('pledge.chooseAmount')}</legend>
        <ChoiceError>{form.errorOf('chosen_amount')}</ChoiceError>
        <div className={classes.sums} data-row={isRow || undefined}>
          {[...suggestedAmounts, 'custom' as const].map((sum) => (
            <OptionRow
              key={sum}
              name="chosen_amount"
              value={sum}
              isToggle={isRow}
              isChecked={chosen === sum}
              onChoose={() => form.setValue('chosen_amount', sum)}
              label={
                sum === 'custom'
                  ? t(isRow ? 'pledge.quick.other' : 'pledge.otherSum')
                  : price(language, Number(sum), currency)
              }
            />
          ))}
        </div>
      </fieldset>
      {chosen === 'custom' && <AmountField label={t('pledge.field.amount')} {...form.field('amount')} />}
    </div>
  );
}

/** The validation error of a group of radio buttons, shown above it. */
export function ChoiceError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p className={classes.fault}>
      <AlertCircleIcon size={16} />
      <span>{children}</span>
    </p>
  );
}
