import type { ChangeEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bankOf, ibanInFours, isWholeIban, type IbanFault } from '../domain/iban';
import { TextField } from './fields';
import { CheckIcon } from './icons';
import classes from './IbanField.module.css';

export interface IbanFieldProps {
  label: string;
  help: string;
  /** Says to who cannot see the tick that the number is right. */
  rightText: string;
  typed: string;
  /** What is wrong with a number that is whole. */
  faultOf: (typed: string) => IbanFault | undefined;
  onType: (value: string) => void;
  /** The field of the form. */
  field: object;
}

/** An account number in fours. It is checked while it is typed: the bank's name once it is right, the fault once it is whole. */
export function IbanField(props: IbanFieldProps) {
  const { label, help, rightText, typed, faultOf, onType } = props;
  const { t } = useTranslation();
  const { error, ...field } = props.field as { error?: ReactNode };
  const fault = isWholeIban(typed) ? faultOf(typed) : undefined;
  const isRight = typed !== '' && faultOf(typed) === undefined;
  const bank = bankOf(typed);
  return (
    <TextField
      label={label}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      // More than a number has: what is copied brings spaces, invisible marks and the word IBAN.
      maxLength={80}
      help={help}
      {...field}
      onChange={({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        const { value, selectionStart } = currentTarget;
        // Grouped only at the end, because otherwise the caret would jump there.
        onType(selectionStart === value.length ? ibanInFours(value) : value);
      }}
      error={error ?? (fault && t(`rules.${fault}`))}
      rightSection={
        isRight && (
          <span className={classes.right}>
            <CheckIcon size={16} />
            {bank ?? <span className="tk-visually-hidden">{rightText}</span>}
          </span>
        )
      }
      rightSectionWidth={bank ? 136 : 40}
      rightSectionPointerEvents="none"
    />
  );
}
