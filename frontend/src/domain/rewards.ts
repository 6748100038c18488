/** Rewards by amount, cheapest first; ties by id. */
export function sortRewards<T extends { amount: number; reward_id: number }>(rewards: readonly T[]): T[] {
  return [...rewards].sort((a, b) => a.amount - b.amount || a.reward_id - b.reward_id);
}

/** The special question that asks for a postal address. */
export const asksForAddress = 'ask_for_address';

/** Custom questions numbered from 1 without gaps, as they are after one is removed. */
export function renumberQuestions<T extends { key: string }>(questions: readonly T[]): T[] {
  return questions.map((question, index) => ({ ...question, key: `custom_question_${index + 1}` }));
}
