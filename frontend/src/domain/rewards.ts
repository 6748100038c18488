/** Rewards by amount, cheapest first; ties by id. */
export function sortRewards<T extends { amount: number; reward_id: number }>(rewards: readonly T[]): T[] {
  return [...rewards].sort((a, b) => a.amount - b.amount || a.reward_id - b.reward_id);
}

/** The text of the special custom question that asks for a postal address. */
export const asksForAddress = 'ask_for_address';

/** Renumbers the keys of custom questions from 1 without gaps, for use after one was removed. */
export function renumberQuestions<T extends { key: string }>(questions: readonly T[]): T[] {
  return questions.map((question, index) => ({ ...question, key: `custom_question_${index + 1}` }));
}
