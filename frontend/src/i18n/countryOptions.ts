import { countries, homeCountry } from '../domain/countries';
import type { Language } from '../domain/languages';
import { formatCountry } from './format';

/** All countries by name in the language, for a select, with the home country first. */
export function countryOptions(language: Language): { value: string; label: string }[] {
  const named = countries.map((value) => ({ value, label: formatCountry(language, value) }));
  const isHome = ({ value }: { value: string }) => value === homeCountry;
  const others = named.filter((one) => !isHome(one)).sort((a, b) => a.label.localeCompare(b.label, language));
  return [...named.filter(isHome), ...others];
}
