import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';

/** Where the partner's page leads back to. */
export const returnAddress = (language: Language) =>
  `${window.location.origin}${paths.payouts(language)}?back=1`;

/** Whether the page's address is the one that the partner's page leads back to. */
export const isReturn = (search: string) => new URLSearchParams(search).has('back');
