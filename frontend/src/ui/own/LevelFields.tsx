import { useTranslation } from 'react-i18next';
import { AmountField } from '../AmountField';
import { FaultText } from '../FaultText';
import { LevelChoice } from '../LevelChoice';
import type { LevelFieldsState } from './useLevelChoice';

export interface LevelFieldsProps {
  fields: LevelFieldsState;
  /** For screen readers. */
  legend: string;
  onChange?: () => void;
}

/** The fields for a level of monthly support. */
export function LevelFields({ fields, legend, onChange }: LevelFieldsProps) {
  const { t } = useTranslation();
  const { levels, currency, chosen, amount, fault } = fields;
  return (
    <LevelChoice
      name="level"
      legend={legend}
      levels={levels}
      currency={currency}
      chosen={chosen}
      onChoose={(level) => {
        fields.choose(level);
        onChange?.();
      }}
      ownLabel={t('subscription.levels.own')}
      ownNote={t('subscription.levels.ownNote')}
      ownField={
        <AmountField
          label={t('subscription.levels.ownField')}
          value={amount}
          error={fault && <FaultText fault={fault} />}
          onChange={({ currentTarget }) => {
            fields.type(currentTarget.value);
            onChange?.();
          }}
        />
      }
    />
  );
}
