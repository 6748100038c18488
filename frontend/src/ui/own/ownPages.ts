import type { ParseKeys } from 'i18next';
import type { Language } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { securityPath } from '../../domain/securityPath';

export interface OwnPage {
  label: ParseKeys;
  to: (language: Language) => string;
}

/** The signed-in person's own pages, in the order of the menu beside them. */
export const ownPages: readonly OwnPage[] = [
  { label: 'people.me.pages.about', to: (language) => paths.profile(language, 'me') },
  { label: 'people.me.pages.pledges', to: (language) => paths.myPledges(language) },
  { label: 'people.me.pages.subscriptions', to: (language) => paths.mySubscriptions(language) },
  { label: 'people.me.pages.calendar', to: (language) => paths.moneyCalendar(language) },
  { label: 'people.me.pages.payouts', to: (language) => paths.payouts(language) },
  { label: 'people.me.pages.campaigns', to: (language) => paths.myCampaigns(language) },
  { label: 'people.me.pages.claims', to: (language) => paths.claims(language) },
  { label: 'people.me.pages.security', to: securityPath },
];
