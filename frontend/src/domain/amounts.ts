import { pasted } from './pasted';

/** The maximum of a pledge, and so of a reward's price, in the major unit; the same as the contract's. */
export const maxPledge = 100_000;

/** Cents of an amount in the major unit. Exact for anything with at most two decimals. */
export function toCents(major: number): number {
  return Math.round(major * 100);
}

/** The major unit of an amount in cents. */
export function fromCents(cents: number): number {
  return cents / 100;
}

/** An amount as it is typed or copied, such as 1 284,50 € or 25,- eur: with a point before its decimals and nothing around it. */
export function plainAmount(typed: string): string {
  const text = pasted(typed).replace(/\s/g, '');
  const [, amount] = /^(?:€|eur)?(\d+(?:[.,]\d+)?)(?:[.,]-+)?(?:€|euroa?|eur|e)?$/i.exec(text) ?? [];
  return (amount ?? text).replace(',', '.');
}

/**
 * Parses a typed amount: spaces between groups, a comma or point before at most two decimals.
 * Returns cents, or undefined if it is not an amount.
 */
export function parseCents(typed: string): number | undefined {
  const text = plainAmount(typed);
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** What the price of a pledge with a reward is made of. */
export interface PledgeSum {
  /** The reward's price, major unit. */
  rewardAmount: number;
  quantity: number;
  /** The chosen added cost, in the major unit, once for the whole pledge. */
  addedCost?: number;
}

/** The price of a pledge with a reward, in cents: quantity times the reward's price, plus the added cost once. */
export function rewardTotalCents({ rewardAmount, quantity, addedCost = 0 }: PledgeSum): number {
  return toCents(rewardAmount) * quantity + toCents(addedCost);
}

/** The amounts suggested for a pledge without a reward, in the major unit, as strings because form values are. */
export const suggestedAmounts = ['10', '25', '50'] as const;
/** One of suggestedAmounts. */
export type SuggestedAmount = (typeof suggestedAmounts)[number];

/** The initial value of the custom amount, in the major unit. */
export const defaultCustomAmount = 1;

/** The VAT included in a total, in cents, rounded. `percentage` is the VAT rate, such as 25.5. */
export function includedVatCents(totalCents: number, percentage: number): number {
  return Math.round((totalCents * percentage) / (100 + percentage));
}
