import { maxPledge, parseCents, toCents } from './amounts';
import { decimal, type Fault } from './rules';

/** The payment provider's minimum, in cents. */
export const leastCents = 50;

/** In cents; against typing errors. */
const maxCents = toCents(maxPledge);

/** The error of a typed sum. `money` formats cents. */
export function sumFault(typed: string, min: number, money: (cents: number) => string): Fault | undefined {
  const cents = parseCents(typed);
  if (cents === undefined) return decimal(2)('?', undefined);
  if (cents < min) return { key: 'minValue', params: { min: money(min) } };
  return cents > maxCents ? { key: 'atMost', params: { max: money(maxCents) } } : undefined;
}
