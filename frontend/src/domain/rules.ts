import { homeCountry, postcodeForm } from './countries';

/** A validation error: the key of its text and the text's placeholders. Translated where it is shown. */
export interface Fault {
  key: RuleKey;
  params?: Readonly<Record<string, string | number>>;
}

/** A rule's key under `rules` in the text catalogues. */
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
  | 'stockReserved';

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
export const email = text((value) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(value), 'email');
/** At least `min` characters, counted as code points, not as UTF-16 units. */
export const minLength = (min: number) =>
  text((value) => Array.from(value).length >= min, 'minLength', { min });
/** At most `max` characters, counted as code points, not as UTF-16 units. */
export const maxLength = (max: number) =>
  text((value) => Array.from(value).length <= max, 'maxLength', { max });
/** Letters of any script. */
export const alpha = text((value) => /^[\p{L}\p{M}]+$/u.test(value), 'alpha');
/** Letters and digits of any script. */
export const alphaNum = text((value) => /^[\p{L}\p{M}\p{N}]+$/u.test(value), 'alphaNum');
/** Letters, digits, hyphens and underscores. */
export const alphaDash = text((value) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(value), 'alphaDash');
/** Letters and spaces. */
export const alphaSpaces = text((value) => /^[\p{L}\p{M}\s]+$/u.test(value), 'alphaSpaces');
/** An absolute http or https address. */
export const url = text((value) => /^https?:$/.test(protocol(value)), 'url');
/** An IPv4 or IPv6 address. */
export const ip = text(
  (value) => /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/.test(value) || isIpv6(value),
  'ip',
);
/** Text that the pattern matches. */
export const regex = (pattern: RegExp) => text((value) => pattern.test(value), 'regex');
/** A postcode of the country (ISO 3166-1 alpha-2). Any text if this app does not know the country's format. */
export const postcodeOf = (country: string): Rule<string> => {
  const form = postcodeForm(country);
  if (!form) return () => undefined;
  const { pattern, example } = form;
  return text(
    (value) => pattern.test(value),
    country === homeCountry ? 'postcode' : 'postcodeLike',
    country === homeCountry ? undefined : { example },
  );
};

function protocol(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : '';
}

function isIpv6(value: string): boolean {
  return /^[\da-f:.]+$/i.test(value) && value.includes(':') && URL.canParse(`http://[${value}]/`);
}

// Numbers.

const toNumber = (value: string) => Number(value.replace(',', '.'));

/** ASCII digits only. */
export const numeric = text((value) => /^\d+$/.test(value), 'numeric');
/** A number with at most `places` decimals, after a comma or a point. */
export const decimal = (places = 2) =>
  text((value) => new RegExp(`^-?\\d+(?:[.,]\\d{1,${places}})?$`).test(value), 'decimal', { places });
/** Exactly `count` digits. */
export const digits = (count: number) =>
  text((value) => /^\d+$/.test(value) && value.length === count, 'digits', { count });
/** A number of at least `min`. */
export const minValue = (min: number) => text((value) => toNumber(value) >= min, 'minValue', { min });
/** A number of at most `max`. Its message is English on every page; the app's own forms use `atMost`. */
export const maxValue = (max: number) => text((value) => toNumber(value) <= max, 'maxValue', { max });
/** A number of at most `max`, with a message in the page's language. */
export const atMost = (max: number) => text((value) => toNumber(value) <= max, 'atMost', { max });
/** A number from `min` to `max`, both included. */
export const between = (min: number, max: number) =>
  text((value) => toNumber(value) >= min && toNumber(value) <= max, 'between', { min, max });
/** A card number by its Luhn checksum, with or without spaces and hyphens. */
export const creditCard = text((value) => passesLuhn(value.replace(/[\s-]/g, '')), 'creditCard');

function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = Array.from(number)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

// Files and images. No file is valid; combine with `required`.

/** A picture's size in pixels. */
export interface Picture {
  width: number;
  height: number;
}

const file =
  (holds: (file: File) => boolean, key: RuleKey, params?: Fault['params']): Rule<File | null> =>
  (value) =>
    value === null || holds(value) ? undefined : fault(key, params);

/** A JPEG, PNG, GIF or WebP picture, by its MIME type. */
export const image = file(({ type }) => /^image\/(jpeg|png|gif|webp)$/.test(type), 'image');
/** A file name with one of these endings, which are given without a point. */
export const ext = (endings: readonly string[]) =>
  file(({ name }) => endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`)), 'ext', {
    list: endings.join(', '),
  });
/** A file of one of these MIME types. */
export const mimes = (types: readonly string[]) =>
  file(({ type }) => types.includes(type), 'mimes', { list: types.join(', ') });
/** A file smaller than this many kilobytes of 1,024 bytes. */
export const size = (kilobytes: number) =>
  file((value) => value.size < kilobytes * 1024, 'size', { kilobytes });
/** A picture of at least this width and height, in pixels. */
export const dimensions =
  (width: number, height: number): Rule<Picture | null> =>
  (value) =>
    value === null || (value.width >= width && value.height >= height)
      ? undefined
      : fault('dimensions', { width, height });

// Dates, as YYYY-MM-DD, so that comparing strings compares days.

/** An existing day as YYYY-MM-DD. */
export const dateFormat = text(isDate, 'dateFormat');
/** A day before `day`. */
export const before = (day: string) => text((value) => isDate(value) && value < day, 'before', { day });
/** A day after `day`. */
export const after = (day: string) => text((value) => isDate(value) && value > day, 'after', { day });
/** A day from `first` to `last`, both included. */
export const dateBetween = (first: string, last: string) =>
  text((value) => isDate(value) && value >= first && value <= last, 'dateBetween', { first, last });

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

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
