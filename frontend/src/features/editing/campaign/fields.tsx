import { useState, type ReactNode } from 'react';
import type { ApiError } from '../../../api/apiError';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney } from '../../../i18n/format';
import { FaultText } from '../../../ui/FaultText';
import { DayField } from '../../../ui/DayField';
import { TextField, type TextFieldProps } from '../../../ui/fields';
import { parseCents } from '../../../domain/amounts';
import { amountFault, formatMinorUnits } from '../amount';
import { AskHeld, Fixed } from './Approved';
import { ApiErrorText, FieldErrorText } from './FieldErrorText';
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
  const { value, refusal, isFixed, onChange, onLeave } = usePart(part);
  const language = useLanguage();
  const Field = type === 'date' ? DayField : TextField;
  if (isFixed)
    return (
      <FixedField label={rest.label} refusal={refusal}>
        {type === 'date' && value ? formatDay(language, value) : value}
      </FixedField>
    );
  return (
    <div>
      <Field
        {...rest}
        value={value}
        error={refusal && <ApiErrorText error={refusal} />}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={onLeave}
      />
      <AskHeld parts={[part]} />
    </div>
  );
}

/** The server's value of a field that does not change any more, and why another one was refused. */
function FixedField({
  label,
  refusal,
  children,
}: {
  label: ReactNode;
  refusal?: ApiError;
  children: ReactNode;
}) {
  return (
    <div>
      <Fixed label={label}>{children}</Fixed>
      <FieldErrorText error={refusal} />
    </div>
  );
}

export interface SumFieldProps extends FieldProps {
  part: PartOf<number>;
}

/** A setting that is an amount in euros; empty is 0. An invalid amount stays in the field and is not saved. */
export function SumField({ part, ...rest }: SumFieldProps) {
  const { value, refusal, isFixed, onChange, onLeave } = usePart(part);
  const language = useLanguage();
  const [typed, setTyped] = useState<string>();
  const written = value > 0 ? formatMinorUnits(Math.round(value * 100), language) : '';
  const fault = amountFault(typed);
  if (isFixed)
    return (
      <FixedField label={rest.label} refusal={refusal}>
        {value > 0 && formatMoney(language, value, { cents: value % 1 !== 0 })}
      </FixedField>
    );
  return (
    <div>
      <TextField
        {...rest}
        inputMode="decimal"
        rightSection="€"
        value={typed ?? written}
        error={fault ? <FaultText fault={fault} /> : refusal && <ApiErrorText error={refusal} />}
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
      <AskHeld parts={[part]} />
    </div>
  );
}
