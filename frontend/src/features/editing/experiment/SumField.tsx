import { useState } from 'react';
import { useLanguage } from '../../../i18n';
import { FaultText } from '../../../ui/FaultText';
import { TextField, type TextFieldProps } from '../../../ui/fields';
import { parseCents } from '../../../domain/amounts';
import { amountFault, formatMinorUnits } from '../amount';

export interface SumFieldProps extends Pick<TextFieldProps, 'label' | 'aria-label' | 'error' | 'className'> {
  /** In major units; 0 is an empty field. */
  value: number;
  onChange: (value: number) => void;
  onLeave: () => void;
}

/** A sum of money. What is no sum stays in the field and is not sent. */
export function SumField({ value, onChange, onLeave, error, ...rest }: SumFieldProps) {
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const fault = amountFault(typed);
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      value={typed ?? (value > 0 ? formatMinorUnits(Math.round(value * 100), language) : '')}
      error={fault ? <FaultText fault={fault} /> : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const minor = currentTarget.value.trim() === '' ? 0 : parseCents(currentTarget.value);
        if (minor !== undefined && !amountFault(currentTarget.value)) onChange(minor / 100);
      }}
      onBlur={() => {
        if (!fault) setTyped(undefined);
        onLeave();
      }}
    />
  );
}
