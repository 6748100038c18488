import { useState } from 'react';
import { useLanguage } from '../../../i18n';
import { FaultText } from '../../../ui/FaultText';
import { DayField } from '../../../ui/DayField';
import { TextField, type TextFieldProps } from '../../../ui/fields';
import { minorOf, writtenMinor } from '../amount';
import { FaultOf } from './FieldTrouble';
import type { PartName, CampaignParts } from './parts';
import { usePart } from './usePart';

/** Parts whose value is of a type. */
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

/** A setting that is a line of text or a day, saved when it is left. */
export function PartField({ part, type, ...rest }: PartFieldProps) {
  const { value, refusal, onEnter, onChange, onLeave } = usePart(part);
  const Field = type === 'date' ? DayField : TextField;
  return (
    <Field
      {...rest}
      value={value}
      error={refusal && <FaultOf error={refusal} />}
      onFocus={onEnter}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

export interface SumFieldProps extends FieldProps {
  part: PartOf<number>;
}

/** A setting that is a sum in euros; empty is none. What is no sum stays in the field and is not sent. */
export function SumField({ part, ...rest }: SumFieldProps) {
  const { value, refusal, onEnter, onChange, onLeave } = usePart(part);
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const written = value > 0 ? writtenMinor(Math.round(value * 100), language) : '';
  const isBad = typed !== undefined && typed.trim() !== '' && minorOf(typed) === undefined;
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
          refusal && <FaultOf error={refusal} />
        )
      }
      onFocus={onEnter}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const minor = currentTarget.value.trim() === '' ? 0 : minorOf(currentTarget.value);
        if (minor !== undefined) onChange(minor / 100);
      }}
      onBlur={() => {
        if (!isBad) setTyped(undefined);
        onLeave();
      }}
    />
  );
}
