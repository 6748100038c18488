/** Rewards by amount, cheapest first; ties by id. */
export function sortRewards<T extends { amount: number; reward_id: number }>(rewards: readonly T[]): T[] {
  return [...rewards].sort((a, b) => a.amount - b.amount || a.reward_id - b.reward_id);
}

/** The text that marks the custom question which asks for a postal address. */
export const asksForAddress = 'ask_for_address';
