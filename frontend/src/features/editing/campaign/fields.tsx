import { useState } from 'react';
import { useLanguage } from '../../../i18n';
import { FaultText } from '../../../ui/FaultText';
import { DayField } from '../../../ui/DayField';
import { TextField, type TextFieldProps } from '../../../ui/fields';
import { parseMinorUnits, formatMinorUnits } from '../amount';
import { ApiErrorText } from './FieldErrorText';
import type { PartName, CampaignParts } from './parts';
import { usePart } from './usePart';

/** The names of the parts whose values have this type. */
type PartOf<Value> = {
  [Name in PartName]: CampaignParts[Name] extends Value
    ? Value extends CampaignParts[Name]
      ? Name
      : never
    : never;
}[PartName];

type FieldProps = Pick<TextFieldProps, 'label' | 'help' | 'isOptional' | 'type' | 'inputMode' | 'maxLength'>;

export interface PartFieldProps extends FieldProps {
  part: PartOf<string>;
}

/** A setting that is a line of text or a date, saved when its field loses the focus. */
export function PartField({ part, type, ...rest }: PartFieldProps) {
  const { value, refusal, onEnter, onChange, onLeave } = usePart(part);
  const Field = type === 'date' ? DayField : TextField;
  return (
    <Field
      {...rest}
      value={value}
      error={refusal && <ApiErrorText error={refusal} />}
      onFocus={onEnter}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

export interface SumFieldProps extends FieldProps {
  part: PartOf<number>;
}

/** A setting that is an amount in euros; empty is 0. An invalid amount stays in the field and is not saved. */
export function SumField({ part, ...rest }: SumFieldProps) {
  const { value, refusal, onEnter, onChange, onLeave } = usePart(part);
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const written = value > 0 ? formatMinorUnits(Math.round(value * 100), language) : '';
  const isBad = typed !== undefined && typed.trim() !== '' && parseMinorUnits(typed) === undefined;
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      rightSection="€"
      value={typed ?? written}
      error={
        isBad ? (
          <FaultText fault={{ key: 'decimal', params: { places: 2 } }} />
        ) : (
          refusal && <ApiErrorText error={refusal} />
        )
      }
      onFocus={onEnter}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const minor = currentTarget.value.trim() === '' ? 0 : parseMinorUnits(currentTarget.value);
        if (minor !== undefined) onChange(minor / 100);
      }}
      onBlur={() => {
        if (!isBad) setTyped(undefined);
        onLeave();
      }}
    />
  );
}
