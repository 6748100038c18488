export interface Stocked {
  /** 0 or none is unlimited. */
  stock?: number | null;
  stock_reserved?: number | null;
}

/** What is left of a reward, never below 0; undefined when it is unlimited. */
export function stockLeft({ stock, stock_reserved }: Stocked): number | undefined {
  return stock ? Math.max(0, stock - (stock_reserved ?? 0)) : undefined;
}

/** How many one may choose: what is left, and what one pledge may take. */
export function maxQuantity(reward: Stocked & { quantity_max: number }): number {
  return Math.min(stockLeft(reward) ?? reward.quantity_max, reward.quantity_max);
}

export function isGone(reward: Stocked): boolean {
  return stockLeft(reward) === 0;
}

/** Whether so little is left that it is worth a warning: ten, or a tenth of what there was. */
export function isScarce(reward: Stocked): boolean {
  const left = stockLeft(reward);
  return left !== undefined && left <= Math.max(10, (reward.stock ?? 0) / 10);
}
