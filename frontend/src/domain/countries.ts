import list from './countries.generated.json';
import formsOf from './postcodes.generated.json';
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

// The countries that most parcels from Finland go to; the server has the same. A country code before the postcode is accepted.
const forms: Readonly<Record<string, { pattern: string; example: string } | undefined>> = formsOf;

/** The format of a country's postcodes; undefined if this app does not know it. */
export function postcodeForm(country: string): PostcodeForm | undefined {
  const form = forms[country];
  return form && { pattern: new RegExp(form.pattern, 'i'), example: form.example };
}

/** Whether the country's postcodes have only digits, so that a numeric keypad is enough. */
export function isPostcodeNumber(country: string): boolean {
  const example = postcodeForm(country)?.example;
  return example !== undefined && /^\d+$/.test(example);
}
