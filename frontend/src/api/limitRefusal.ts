import { isApiError } from './apiError';

/** A month that would come to more than the spending limit. Sums are in minor units. */
export interface Exceeded {
  currency: string;
  limitMinor: number;
  /** What the month would come to. */
  totalMinor: number;
  /** YYYY-MM; the first of the months that would cross the limit. */
  month: string;
}

/** What a refusal says that came of the spending limit; undefined for any other error. */
export function limitRefusal(error: unknown): Exceeded | undefined {
  if (!isApiError(error) || error.status !== 'spending_limit_exceeded') return undefined;
  const { currency, limit_minor: limitMinor, total_minor: totalMinor, month } = error.params ?? {};
  if (typeof currency !== 'string' || typeof month !== 'string') return undefined;
  if (typeof limitMinor !== 'number' || typeof totalMinor !== 'number') return undefined;
  return { currency, limitMinor, totalMinor, month };
}
