import type { TFunction } from 'i18next';
import type { Language } from '../domain/languages';
import { campaignPercent, missingAtFullPercent } from '../domain/progress';
import { formatMoney, formatPercent } from './format';

/** What progressText says. */
export interface ProgressFacts {
  /** Confirmed money, in the major unit. */
  reached: number;
  /** In the major unit; 0 for none. */
  goal: number;
  currency?: string;
}

/** The percentage reached. If rounding makes it 100 % before the goal is reached, also what is missing. */
export function progressText(
  { reached, goal, currency }: ProgressFacts,
  t: TFunction,
  language: Language,
): string {
  const lacks = missingAtFullPercent(reached, goal);
  return [
    formatPercent(language, campaignPercent(reached, goal)),
    lacks !== undefined && t('home.lacks', { amount: exactMoney(language, lacks, currency) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** An amount with decimals only if it has cents, for sums that must not be rounded. */
export function exactMoney(language: Language, amount: number, currency?: string): string {
  return formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
}
