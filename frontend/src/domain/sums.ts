import { maxPledge, parseCents, plainAmount, toCents } from './amounts';
import { decimal, type Fault } from './rules';

/** The payment provider's minimum, in cents. */
export const leastCents = 50;

/** The most of a pledge, in cents; against typing errors. */
export const mostCents = toCents(maxPledge);

/**
 * The error of a typed sum, which is between `min` and `max` cents. What is a number is told its bound, also one below zero or
 * of more digits than any sum has; `show` formats cents.
 */
export function sumFault(
  typed: string,
  min: number,
  show: (cents: number) => string | number,
  max = mostCents,
): Fault | undefined {
  const text = plainAmount(typed);
  const cents = parseCents(text);
  if ((cents !== undefined && cents < min) || /^-\d/.test(text))
    return { key: 'minValue', params: { min: show(min) } };
  if ((cents !== undefined && cents > max) || /^\d{10,}(\.\d{1,2})?$/.test(text))
    return { key: 'atMost', params: { max: show(max) } };
  return cents === undefined ? decimal(2)('?', undefined) : undefined;
}
