import { useForm, type UseFormReturnType } from '@mantine/form';
import { useRef, type SyntheticEvent, type ReactNode } from 'react';
import type { FieldError } from '../api/apiError';
import type { Fault, Rule } from '../domain/rules';
import { FaultText } from './FaultText';

export type RuleTable<Values> = { [Field in keyof Values]?: Rule<Values[Field], Values> };
export type Faults = Readonly<Record<string, Fault | undefined>>;

export interface AppFormOptions<Values> {
  initialValues: Values;
  /** One rule a field, or a pure function for forms whose fields depend on their values. */
  rules: RuleTable<Values> | ((values: Values) => Faults);
  onSubmit: (values: Values) => Promise<void> | void;
}

export interface AppForm<Values> {
  form: UseFormReturnType<Values>;
  /** Put on the <form>, with noValidate. */
  formProps: {
    ref: React.RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  };
  /** Value, handlers and error of one field. */
  field: (name: keyof Values & string) => ReturnType<UseFormReturnType<Values>['getInputProps']>;
  errorOf: (name: keyof Values & string) => ReactNode;
  /** True while the form's own request runs; the button shows it and nothing else is disabled. */
  isSubmitting: boolean;
  /** Open errors in the order of the fields, for a summary that links to them. */
  errors: readonly { name: string; text: ReactNode }[];
  focusField: (name: string) => void;
  /** Puts the server's errors on their fields and gives back those that name none of them. */
  showFieldErrors: (errors: readonly FieldError[]) => readonly FieldError[];
}

/** The one way to make a form: pure rules, errors at their fields, focus on the first wrong one. */
export function useAppForm<Values extends Record<string, unknown>>(
  options: AppFormOptions<Values>,
): AppForm<Values> {
  const { initialValues, rules, onSubmit } = options;
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Values>({
    initialValues,
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
    validate: (values) => {
      const faults = typeof rules === 'function' ? rules(values) : checkAll(rules, values);
      const broken = Object.entries(faults).filter((entry): entry is [string, Fault] => Boolean(entry[1]));
      return Object.fromEntries(
        broken.map(([name, fault]) => [name, <FaultText key={name} fault={fault} />]),
      );
    },
  });

  const inputs = () => [...(element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])];
  const focusField = (name: string) => focusInside(inputs().find((input) => input.dataset.path === name));
  const focusFirst = (names: readonly string[]) =>
    focusInside(inputs().find((input) => names.includes(input.dataset.path ?? '')));

  return {
    form,
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => form.onSubmit(onSubmit, (errors) => focusFirst(Object.keys(errors)))(event),
    },
    field: (name) => form.getInputProps(name),
    errorOf: (name) => form.errors[name],
    isSubmitting: form.submitting,
    errors: Object.entries(form.errors).map(([name, text]) => ({ name, text })),
    focusField,
    showFieldErrors: (errors) => {
      const isHere = ({ path }: FieldError) => lastPart(path) in form.getValues();
      const here = errors.filter(isHere);
      form.setErrors(Object.fromEntries(here.map(({ path, message }) => [lastPart(path), message])));
      focusFirst(here.map(({ path }) => lastPart(path)));
      return errors.filter((error) => !isHere(error));
    },
  };
}

function checkAll<Values extends Record<string, unknown>>(table: RuleTable<Values>, values: Values): Faults {
  const names = Object.keys(table) as (keyof Values & string)[];
  return Object.fromEntries(names.map((name) => [name, table[name]?.(values[name], values)]));
}

/** The contract names fields by their path (pledge_meta.email); forms are flat. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function focusInside(input: HTMLElement | undefined): void {
  const isControl = input?.matches('input, textarea, select, button');
  const target = isControl ? input : input?.querySelector<HTMLElement>('input, textarea, select, button');
  target?.focus();
}
