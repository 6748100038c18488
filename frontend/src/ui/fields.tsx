import './controlStyles';
import {
  NativeSelect,
  PasswordInput,
  Textarea,
  TextInput,
  type NativeSelectProps,
  type PasswordInputProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertCircleIcon, ChevronDownIcon, EyeIcon, EyeOffIcon } from './icons';
import classes from './fields.module.css';

/** The texts of a field. */
export interface FieldWords {
  label: ReactNode;
  /** Below the field; replaced by the error. */
  help?: ReactNode;
  /** Adds "optional" to the label; required fields are not marked. */
  isOptional?: boolean;
  error?: ReactNode;
}

/** The props of a Mantine input for label, help and error, in the app's style. */
export function useFieldWords({ label, help, isOptional = false, error }: FieldWords) {
  const { t } = useTranslation();
  return {
    label: isOptional ? (
      <>
        {label} <span className={classes.optional}>{t('field.optional')}</span>
      </>
    ) : (
      label
    ),
    description: error ? undefined : help,
    error: error ? (
      <span className={classes.errorLine}>
        <AlertCircleIcon size={16} />
        <span>{error}</span>
      </span>
    ) : undefined,
    classNames: {
      label: classes.label,
      description: classes.help,
      error: classes.error,
      input: classes.input,
    },
  };
}

type Own<Props> = Omit<Props, 'label' | 'description' | 'error' | 'classNames'> & FieldWords;

/** Mantine's props with the texts of FieldWords in place of its own. */
export type TextFieldProps = Own<TextInputProps>;

/** A one-line text field. */
export function TextField({ label, help, isOptional, error, ...rest }: TextFieldProps) {
  return <TextInput {...rest} {...useFieldWords({ label, help, isOptional, error })} />;
}

/** See TextFieldProps. */
export type TextareaFieldProps = Own<TextareaProps>;

/** A text field of several lines. */
export function TextareaField({ label, help, isOptional, error, ...rest }: TextareaFieldProps) {
  return <Textarea {...rest} {...useFieldWords({ label, help, isOptional, error })} />;
}

/** See TextFieldProps. */
export type SelectFieldProps = Own<NativeSelectProps>;

/** A native select. */
export function SelectField({ label, help, isOptional, error, ...rest }: SelectFieldProps) {
  return (
    <NativeSelect
      rightSection={<ChevronDownIcon size={16} />}
      {...rest}
      {...useFieldWords({ label, help, isOptional, error })}
    />
  );
}

/** See TextFieldProps. */
export type PasswordFieldProps = Own<PasswordInputProps>;

/** A password field with a button that shows the password. */
export function PasswordField({ label, help, isOptional, error, ...rest }: PasswordFieldProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      {...rest}
      {...useFieldWords({ label, help, isOptional, error })}
      visibilityToggleIcon={({ reveal }) => (reveal ? <EyeOffIcon /> : <EyeIcon />)}
      visibilityToggleButtonProps={{ 'aria-label': t('action.showPassword'), tabIndex: 0 }}
    />
  );
}
