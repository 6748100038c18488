import { homeCountry, needsPostcode, postcodeForm } from './countries';
import { pasted } from './pasted';

/** A validation error: the key of its text and the text's placeholders. Translated where it is shown. */
export interface Fault {
  key: RuleKey;
  params?: Readonly<Record<string, string | number>>;
}

/**
 * A rule's key under `rules` in the text catalogues. Every promised rule has its text, which also says what the server has found
 * (ServerFaultText); a rule is written here where a form of ours asks it.
 */
export type RuleKey =
  | 'required'
  | 'email'
  | 'minLength'
  | 'maxLength'
  | 'alpha'
  | 'alphaNum'
  | 'alphaDash'
  | 'alphaSpaces'
  | 'url'
  | 'ip'
  | 'regex'
  | 'minValue'
  | 'maxValue'
  | 'atMost'
  | 'numeric'
  | 'between'
  | 'digits'
  | 'decimal'
  | 'dimensions'
  | 'image'
  | 'ext'
  | 'mimes'
  | 'size'
  | 'dateFormat'
  | 'dateBetween'
  | 'before'
  | 'after'
  | 'dateFrom'
  | 'once'
  | 'confirmed'
  | 'differs'
  | 'creditCard'
  | 'postcode'
  | 'postcodeLike'
  | 'choose'
  | 'birthdate'
  | 'ibanForm'
  | 'ibanDigits'
  | 'ibanCountry'
  | 'ibanPayout'
  | 'stockReserved'
  | 'taxNumber'
  | 'taxNumberBirth'
  | 'vatNumber';

/** A validation rule: checks a field's value, with the values of the whole form at hand. Undefined if it is valid. */
export type Rule<Value, Values = unknown> = (value: Value, values: Values) => Fault | undefined;

const fault = (key: RuleKey, params?: Fault['params']): Fault => (params ? { key, params } : { key });

/** Makes a rule about text, without surrounding spaces. An empty field is valid; combine with `required`. */
const text =
  (holds: (value: string) => boolean, key: RuleKey, params?: Fault['params']): Rule<string> =>
  (value) =>
    value.trim() === '' || holds(value.trim()) ? undefined : fault(key, params);

/** Combines rules; reports the first that is broken. */
export function all<Value, Values>(...rules: readonly Rule<Value, Values>[]): Rule<Value, Values> {
  return (value, values) => {
    for (const rule of rules) {
      const found = rule(value, values);
      if (found) return found;
    }
    return undefined;
  };
}

// Presence, format and text.

/** Not empty: neither missing, false, only spaces nor a list without entries. */
export const required: Rule<unknown> = (value) =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)
    ? fault('required')
    : undefined;

/** Something that looks like an email address; only the mail that is sent to it shows that it works. */
export const email = text((value) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(pasted(value).trim()), 'email');
/** At least `min` characters, counted as code points, not as UTF-16 units. */
export const minLength = (min: number) =>
  text((value) => Array.from(value).length >= min, 'minLength', { min });
/** At most `max` characters, counted as code points, not as UTF-16 units. */
export const maxLength = (max: number) =>
  text((value) => Array.from(value).length <= max, 'maxLength', { max });
/** Text that the pattern matches. */
export const regex = (pattern: RegExp) => text((value) => pattern.test(value), 'regex');
/** A postcode of the country (ISO 3166-1 alpha-2). Any text if this app does not know the country's format. */
export const postcodeOf = (country: string): Rule<string> => {
  const form = postcodeForm(country);
  if (!form) return () => undefined;
  const { pattern, example } = form;
  return text(
    (value) => pattern.test(pasted(value).trim()),
    country === homeCountry ? 'postcode' : 'postcodeLike',
    country === homeCountry ? undefined : { example },
  );
};

/** The postcode of an address that something is sent to: required where the country has any. */
export const deliveryPostcode = (country: string): Rule<string> =>
  needsPostcode(country) ? all(required, postcodeOf(country)) : postcodeOf(country);

// Numbers.

const toNumber = (value: string) => Number(value.replace(',', '.'));

/** ASCII digits only. */
export const numeric = text((value) => /^\d+$/.test(value), 'numeric');
/** A number with at most `places` decimals, after a comma or a point. */
export const decimal = (places = 2) =>
  text((value) => new RegExp(`^-?\\d+(?:[.,]\\d{1,${places}})?$`).test(value), 'decimal', { places });
/** A number of at least `min`. */
export const minValue = (min: number) => text((value) => toNumber(value) >= min, 'minValue', { min });
/** A number of at most `max`. */
export const atMost = (max: number) => text((value) => toNumber(value) <= max, 'atMost', { max });
// Rules about two fields.

/** The same as another field, such as a repeated password. */
export const confirmed =
  <Values>(other: (values: Values) => string): Rule<string, Values> =>
  (value, values) =>
    value === other(values) ? undefined : fault('confirmed');
/** Not the same as another field, such as the old password. An empty field is valid. */
export const differs =
  <Values>(other: (values: Values) => string): Rule<string, Values> =>
  (value, values) =>
    value === '' || value !== other(values) ? undefined : fault('differs');
