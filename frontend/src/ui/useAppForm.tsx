import { useForm, type UseFormReturnType } from '@mantine/form';
import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { ApiError, FieldError } from '../api/apiError';
import type { Fault, Rule } from '../domain/rules';
import { FaultText, ServerFaultText } from './FaultText';

/** A field's name; a misspelt one does not compile. */
export type FieldName<Values> = keyof Values & string;

export type RuleTable<Values> = { [Field in keyof Values]?: Rule<Values[Field], Values> };
export type Faults = Readonly<Record<string, Fault | undefined>>;

export interface AppFormOptions<Values> {
  initialValues: Values;
  /** One rule a field, or a pure function for forms whose fields depend on their values. */
  rules: RuleTable<Values> | ((values: Values) => Faults);
  /** `changed` is what differs from the initial values, for calls that send nothing else. */
  onSubmit: (values: Values, changed: Partial<Values>) => Promise<void> | void;
}

export interface AppForm<Values> {
  values: Values;
  setValue: <Name extends FieldName<Values>>(name: Name, value: Values[Name]) => void;
  /** Put on the <form>, with noValidate. */
  formProps: {
    ref: React.RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  };
  /** Value, handlers and error of one field. */
  field: (name: FieldName<Values>) => ReturnType<UseFormReturnType<Values>['getInputProps']>;
  errorOf: (name: string) => ReactNode;
  setError: (name: string, error: ReactNode) => void;
  /** True while the form's own request runs; the button shows it and nothing else is disabled. */
  isSubmitting: boolean;
  /** Something is there that was not there when the form opened. */
  isChanged: boolean;
  /** Open errors in the order of the fields, for a summary that links to them. */
  errors: readonly { name: string; text: ReactNode }[];
  focusField: (name: string) => void;
  /** Puts the server's faults on their fields and gives back those that name none of them. */
  showFieldErrors: (errors: readonly FieldError[]) => readonly FieldError[];
  /** Shows why the server refused: at the fields that it names, else the text at `fallback`. */
  showFailure: (error: ApiError, text: string, fallback: FieldName<Values>) => void;
}

/** The one way to make a form: pure rules, errors at their fields, focus on the first wrong one. */
export function useAppForm<Values extends object>(options: AppFormOptions<Values>): AppForm<Values> {
  const { initialValues, rules, onSubmit } = options;
  const [initial] = useState(initialValues);
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
  const values = form.getValues();
  const setError = (name: string, error: ReactNode) => form.setFieldError(name, error);
  const showFieldErrors = (errors: readonly FieldError[]) => {
    const isHere = ({ path }: FieldError) => lastPart(path) in form.getValues();
    const here = errors.filter(isHere);
    form.setErrors(
      Object.fromEntries(
        here.map((fault) => [lastPart(fault.path), <ServerFaultText key={fault.path} fault={fault} />]),
      ),
    );
    focusFirst(here.map(({ path }) => lastPart(path)));
    return errors.filter((error) => !isHere(error));
  };

  return {
    values,
    setValue: (name, value) => (form.setFieldValue as (name: string, value: unknown) => void)(name, value),
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event) =>
        form.onSubmit(
          (sent) => onSubmit(sent, changes(initial, sent)),
          (errors) => focusFirst(Object.keys(errors)),
        )(event),
    },
    field: (name) => form.getInputProps(name),
    errorOf: (name) => form.errors[name],
    setError,
    isSubmitting: form.submitting,
    isChanged: Object.keys(changes(initial, values)).length > 0,
    errors: Object.entries(form.errors).map(([name, text]) => ({ name, text })),
    focusField,
    showFieldErrors,
    showFailure: ({ fields = [] }, text, fallback) => {
      const elsewhere = showFieldErrors(fields);
      if (fields.length > elsewhere.length && elsewhere.length === 0) return;
      setError(fallback, text);
      focusField(fallback);
    },
  };
}

function checkAll<Values extends object>(table: RuleTable<Values>, values: Values): Faults {
  const names = Object.keys(table) as FieldName<Values>[];
  return Object.fromEntries(names.map((name) => [name, table[name]?.(values[name], values)]));
}

function changes<Values extends object>(initial: Values, values: Values): Partial<Values> {
  const names = Object.keys(values) as FieldName<Values>[];
  const changed = names.filter((name) => !Object.is(values[name], initial[name]));
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<Values>;
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
