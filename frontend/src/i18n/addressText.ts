import { homeCountry } from '../domain/countries';
import type { Language } from '../domain/languages';
import { formatCountry } from './format';

/** The parts of a postal address that are shown, named as in the API. */
export interface ShownAddress {
  address_street: string;
  address_postcode: string;
  address_city: string;
  address_country: string;
}

/** An address in one line, with the country when it is another one than most have. */
export function addressText(address: ShownAddress, language: Language): string {
  const { address_street: street, address_postcode: postcode, address_city: city } = address;
  const country = address.address_country || homeCountry;
  return [
    street,
    `${postcode} ${city}`.trim(),
    country === homeCountry ? '' : formatCountry(language, country),
  ]
    .filter(Boolean)
    .join(', ');
}
