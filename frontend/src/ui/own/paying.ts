import type { Subscription as Paying, SubscriptionLevel } from '../../api/subscriptionPayments';

/** The level that was chosen last, which may not have begun. */
export function chosenLevel({ level, next_level: next, reward }: Paying): SubscriptionLevel {
  return next ?? { ...level, reward: level.reward ?? reward };
}

/** The day from which a change of level counts: that of the first month whose charge has not begun, if one is known. */
export function changesFrom({ next_charge: next, held, months }: Paying): string | undefined {
  return (next ?? held ?? months.find(({ state }) => state === 'coming'))?.day;
}

/**
 * Which words tell when a change of level counts. While a month waits because of the limit nothing is promised: if it fits
 * at another level it is charged, at once when its day has come, else on its day.
 */
export function changeWhen(subscription: Paying, today: string): 'Late' | 'Held' | 'Due' | '' {
  const { held, due } = subscription;
  if (held) return held.day <= today ? 'Late' : 'Held';
  return due || isOnItsWay(subscription) ? 'Due' : '';
}

/** Whether something is on its way that will change by itself within moments, so that the page asks again. */
export function isOnItsWay({ due, charges, months }: Paying): boolean {
  return (
    due?.payment?.status === 'processing' ||
    charges.some(({ status }) => status === 'processing') ||
    months.some(({ state }) => state === 'processing')
  );
}

/** Whether support that is stopped ends at once: a month is to be paid, or what was paid has run out. */
export function endsAtOnce(subscription: Paying, today: string): boolean {
  const { due, paid_until: until } = subscription;
  return due !== undefined || isOnItsWay(subscription) || until === undefined || until < today;
}

/** The text that a catalogue by language has for the reader; else the Finnish one, else any. */
export function inLanguage(texts: Readonly<Record<string, string>>, language: string): string {
  return texts[languageIn(texts, language) ?? ''] ?? '';
}

/** The language of that. */
export function languageIn(texts: Readonly<Record<string, string>>, language: string): string | undefined {
  return [language, 'fi'].find((one) => one in texts) ?? Object.keys(texts)[0];
}
