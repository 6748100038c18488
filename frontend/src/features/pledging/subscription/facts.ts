import type { Subscription as Paying } from '../../../api/subscriptionPayments';

/** Whether a subscription goes on: it has begun and has not ended. */
export function goesOn({ status }: Pick<Paying, 'status'>): boolean {
  return status === 'active' || status === 'past_due' || status === 'paused';
}

/** Whether something is on its way that will change by itself within moments, so that the page asks again. */
export function isOnItsWay({ due, charges, months }: Paying): boolean {
  return (
    due?.payment?.status === 'processing' ||
    charges.some(({ status }) => status === 'processing') ||
    months.some(({ state }) => state === 'processing')
  );
}

/** The text that a catalogue by language has for the reader; else the Finnish one, else any. */
export function inLanguage(texts: Readonly<Record<string, string>>, language: string): string {
  return texts[language] ?? texts.fi ?? Object.values(texts)[0] ?? '';
}
