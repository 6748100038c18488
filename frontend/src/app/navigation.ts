import type { ParseKeys } from 'i18next';
import { splitLanguage, type Language } from '../domain/languages';
import { paths } from '../domain/paths';

interface NavItem {
  label: ParseKeys;
  to: (language: Language) => string;
  /** Whether an address, without its language, belongs to this part of the site. */
  owns: RegExp;
}

export const mainNavigation: readonly NavItem[] = [
  { label: 'nav.campaigns', to: (language) => paths.campaigns(language), owns: /^\/($|campaigns\/|\d+\/)/ },
  { label: 'nav.experiments', to: paths.experiments, owns: /^\/experiments\// },
];

/** How a link of the navigation stands to the page: it is the page, its part of the site, or neither. */
export function ariaCurrentOf(
  item: NavItem,
  language: Language,
  pathname: string,
): 'page' | 'true' | undefined {
  if (item.to(language) === pathname) return 'page';
  return item.owns.test(splitLanguage(pathname).rest) ? 'true' : undefined;
}
