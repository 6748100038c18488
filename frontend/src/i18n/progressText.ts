import type { TFunction } from 'i18next';
import type { Language } from '../domain/languages';
import { campaignPercent, missingAtFullPercent } from '../domain/progress';
import { formatMoney, formatPercent } from './format';

export interface ProgressFacts {
  /** Confirmed money, major unit. */
  reached: number;
  goal: number;
  currency?: string;
}

/**
 * How far in words: the per cent, and where rounding makes it full before the goal is, what is missing. Only the two together
 * are true.
 */
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

/** With decimals where there are some: "nothing to go" must not be said of 40 cents. */
export function exactMoney(language: Language, amount: number, currency?: string): string {
  return formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
}
