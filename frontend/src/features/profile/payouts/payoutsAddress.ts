import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';

/** The payouts page of somebody who has come back from the partner. */
export const welcomeBack = (language: Language) => `${paths.payouts(language)}?back=1`;

/** Where provider B's page leads back to. */
export const returnAddress = (language: Language) => `${window.location.origin}${welcomeBack(language)}`;

/** Where provider A's page leads to: afterwards, and when its address is used up. */
export const onboardingAddresses = (language: Language) => ({
  returnUrl: `${window.location.origin}${paths.onboardReturn(language)}`,
  refreshUrl: `${window.location.origin}${paths.onboardRefresh(language)}`,
});

/** Whether the page's address is the one that the partner's page leads back to. */
export const isReturn = (search: string) => new URLSearchParams(search).has('back');
