/** The fields of a reward about its stock. */
export interface Stocked {
  /** 0, null or undefined: unlimited. */
  stock?: number | null;
  /** Paid pledges and reservations together. */
  stock_reserved?: number | null;
}

/** How many of a reward are left, never below 0; undefined if it is unlimited. */
export function stockLeft({ stock, stock_reserved }: Stocked): number | undefined {
  return stock ? Math.max(0, stock - (stock_reserved ?? 0)) : undefined;
}

/** The most that one pledge may take: what is left, but not more than quantity_max. */
export function maxQuantity(reward: Stocked & { quantity_max: number }): number {
  return Math.min(stockLeft(reward) ?? reward.quantity_max, reward.quantity_max);
}

/** Whether nothing is left of a limited reward. */
export function isGone(reward: Stocked): boolean {
  return stockLeft(reward) === 0;
}

/** Whether few are left: at most ten, or at most a tenth of the stock. */
export function isScarce(reward: Stocked): boolean {
  const left = stockLeft(reward);
  return left !== undefined && left <= Math.max(10, (reward.stock ?? 0) / 10);
}
