import list from './countries.generated.json';
import withoutPostcode from './withoutPostcode.generated.json';

/** The countries that the server takes, by ISO 3166-1 alpha-2 code. The browser has their names in the page's language (formatCountry). */
export const countries: readonly string[] = list;

/** The default country of a backer's address, the same as the server's. */
export const homeCountry = 'FI';

/** Whether addresses in a country have to have a postcode, the same as the server's. */
export const needsPostcode = (country: string): boolean => !withoutPostcode.includes(country);

interface PostcodeForm {
  pattern: RegExp;
  /** An existing postcode, to show the format. */
  example: string;
}

const prefixed = (letters: string, rest: string, example: string): PostcodeForm => ({
  pattern: new RegExp(`^(${letters}[- ]?)?${rest}$`, 'i'),
  example,
});

// The countries that most parcels from Finland go to. A country code before the postcode is accepted.
const forms: Readonly<Record<string, PostcodeForm | undefined>> = {
  FI: prefixed('FI', '\\d{2} ?\\d{3}', '33100'),
  AX: prefixed('AX', '22\\d{3}', '22100'),
  SE: prefixed('SE?', '\\d{3} ?\\d{2}', '111 22'),
  NO: prefixed('NO?', '\\d{4}', '0150'),
  DK: prefixed('DK', '\\d{4}', '1050'),
  IS: prefixed('IS', '\\d{3}', '101'),
  EE: prefixed('EE', '\\d{5}', '10111'),
  LV: prefixed('LV', '\\d{4}', 'LV-1010'),
  LT: prefixed('LT', '\\d{5}', 'LT-01100'),
  DE: prefixed('DE?', '\\d{5}', '10115'),
  AT: prefixed('AT?', '\\d{4}', '1010'),
  CH: prefixed('CH', '\\d{4}', '8001'),
  BE: prefixed('BE?', '\\d{4}', '1000'),
  FR: prefixed('FR?', '\\d{5}', '75001'),
  ES: prefixed('ES?', '\\d{5}', '28001'),
  IT: prefixed('IT?', '\\d{5}', '00184'),
  PT: prefixed('PT?', '\\d{4}(-\\d{3})?', '1000-205'),
  PL: prefixed('PL', '\\d{2}-?\\d{3}', '00-950'),
  NL: { pattern: /^(NL-?)?\d{4} ?[A-Z]{2}$/i, example: '1012 AB' },
  GB: { pattern: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, example: 'SW1A 1AA' },
  US: { pattern: /^\d{5}(-\d{4})?$/, example: '10001' },
  CA: { pattern: /^[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/i, example: 'K1A 0B1' },
};

/** The format of a country's postcodes; undefined if this app does not know it. */
export function postcodeForm(country: string): PostcodeForm | undefined {
  return forms[country];
}

/** Whether the country's postcodes have only digits, so that a numeric keypad is enough. */
export function isPostcodeNumber(country: string): boolean {
  const example = postcodeForm(country)?.example;
  return example !== undefined && /^\d+$/.test(example);
}
