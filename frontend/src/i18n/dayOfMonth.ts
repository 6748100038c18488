import type { Language } from '../domain/languages';

const suffixes: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };

/** The day of a month as it stands in "on the 20th of each month": 20., 20th, 20. Takes YYYY-MM-DD. */
export function formatDayOfMonth(language: Language, day: string): string {
  const number = Number(day.slice(8, 10));
  if (language === 'fi') return `${number}.`;
  if (language === 'sv') return String(number);
  return `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)] ?? 'th'}`;
}
