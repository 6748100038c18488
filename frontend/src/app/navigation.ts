import type { ParseKeys } from 'i18next';
import { splitLanguage, type Language } from '../domain/languages';
import { paths } from '../domain/paths';

interface NavItem {
  label: ParseKeys;
  to: (language: Language) => string;
  /**
   * Matches the paths of this section of the site, without their language prefix. Pages for a campaign's team, such as
   * edit mode, belong to no section.
   */
  section: RegExp;
}

/** The links of the header and of the menu's sheet. */
export const mainNavigation: readonly NavItem[] = [
  {
    label: 'nav.campaigns',
    to: (language) => paths.campaigns(language),
    section: /^\/($|campaigns\/|\d+\/(?!.+\/(edit|overview|review)\/$))/,
  },
  { label: 'nav.experiments', to: paths.experiments, section: /^\/experiments\// },
  { label: 'nav.people', to: (language) => paths.profiles(language), section: /^\/profiles?\/(?!me\/)/ },
];

/** The aria-current of a navigation link: 'page' on the page itself, 'true' elsewhere in its section. */
export function ariaCurrentOf(
  item: NavItem,
  language: Language,
  pathname: string,
): 'page' | 'true' | undefined {
  if (item.to(language) === pathname) return 'page';
  return item.section.test(splitLanguage(pathname).rest) ? 'true' : undefined;
}
