import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState, type FocusEvent, type ReactNode, type SyntheticEvent } from 'react';
import type { ApiError, FieldError } from '../api/apiError';
import type { Fault, Rule } from '../domain/rules';
import { FaultText, ServerFaultText } from './FaultText';

/** The names of a form's fields; a misspelt one does not compile. */
export type FieldName<Values> = keyof Values & string;

/** The rule of each field; fields without one are always valid. */
export type RuleTable<Values> = { [Field in keyof Values]?: Rule<Values[Field], Values> };
/** Validation errors by field name. */
export type Faults = Readonly<Record<string, Fault | undefined>>;

/** See useAppForm. */
export interface AppFormOptions<Values> {
  initialValues: Values;
  /** One rule per field, or a pure function if the rules depend on other values. */
  rules: RuleTable<Values> | ((values: Values) => Faults);
  /** `changed` has the values that differ from the initial ones, for PATCH requests. */
  onSubmit: (values: Values, changed: Partial<Values>) => Promise<void> | void;
}

/** The state of a form, and the functions that its fields need. */
export interface AppForm<Values> {
  values: Values;
  setValue: <Name extends FieldName<Values>>(name: Name, value: Values[Name]) => void;
  /** Spread on the <form>; noValidate turns off the browser's own validation. */
  formProps: {
    ref: React.RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
    onBlur: (event: FocusEvent<HTMLFormElement>) => void;
  };
  /** Value, handlers and error of one field. */
  field: (name: FieldName<Values>) => ReturnType<UseFormReturnType<Values>['getInputProps']>;
  errorOf: (name: string) => ReactNode;
  setError: (name: string, error: ReactNode) => void;
  /** True while the form's request is running; disable only the submit button. */
  isSubmitting: boolean;
  /** Whether a value differs from its initial one. */
  isChanged: boolean;
  /** The errors that are shown now, for a summary that links to their fields. */
  errors: readonly { name: string; text: ReactNode }[];
  focusField: (name: string) => void;
  /** Shows the server's validation errors at their fields; returns those for fields that the form does not have. */
  showFieldErrors: (errors: readonly FieldError[]) => readonly FieldError[];
  /** Shows why the server refused: validation errors at their fields, anything else as `text` at `fallback`. */
  showFailure: (error: ApiError, text: string, fallback: FieldName<Values>) => void;
}

/** Nothing is typed, or nothing is chosen, which may still come. */
const isMissing = ({ key }: Fault) => key === 'required' || key === 'choose';

/**
 * Form state with pure validation rules, errors at their fields, and the focus on the first invalid one. What is wrong in
 * a field is said when one leaves it, what is missing only when the form is sent.
 */
export function useAppForm<Values extends object>(options: AppFormOptions<Values>): AppForm<Values> {
  const { initialValues, rules, onSubmit } = options;
  const [initial] = useState(initialValues);
  const element = useRef<HTMLFormElement>(null);
  const faultsOf = (values: Values) =>
    typeof rules === 'function' ? rules(values) : checkAll(rules, values);
  const form = useForm<Values>({
    initialValues,
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
    validate: (values) => {
      const faults = faultsOf(values);
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
  // The fields whose error was said as they were left. Another field may put it right, such as the country a postcode.
  const told = useRef(new Set<string>());
  useEffect(() => {
    if (told.current.size === 0) return;
    const faults = faultsOf(values);
    for (const name of told.current) {
      if (faults[name]) continue;
      told.current.delete(name);
      form.clearFieldError(name);
    }
  });
  const afterPress = useAfterPress();
  const onLeave = (name: string) => {
    const fault = faultsOf(form.getValues())[name];
    if (!fault || isMissing(fault)) return;
    told.current.add(name);
    form.setFieldError(name, <FaultText fault={fault} />);
  };
  const setError = (name: string, error: ReactNode) => {
    told.current.delete(name);
    form.setFieldError(name, error);
  };
  const showFieldErrors = (errors: readonly FieldError[]) => {
    told.current.clear();
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
      onBlur: ({ currentTarget, target }) => {
        const { path } = target.closest<HTMLElement>('[data-path]')?.dataset ?? {};
        // A dialog's events come here too, though it is drawn elsewhere.
        if (path !== undefined && currentTarget.contains(target)) afterPress(() => onLeave(path));
      },
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

/**
 * Makes a function that acts after the press that took the focus away, if there is one: nothing may move under a press, or it
 * is no click any more.
 */
function useAfterPress() {
  const isPressed = useRef(false);
  useEffect(() => {
    const follow = ({ type }: Event) => (isPressed.current = type === 'pointerdown');
    const types = ['pointerdown', 'pointerup', 'pointercancel'];
    for (const type of types) window.addEventListener(type, follow, true);
    return () => types.forEach((type) => window.removeEventListener(type, follow, true));
  }, []);
  return (act: () => void) => {
    if (isPressed.current) window.addEventListener('pointerup', () => setTimeout(act), { once: true });
    else act();
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
