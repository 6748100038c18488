import type { Reward } from '../../../api/content';
import { addedCostIndex, answerOf, questionField, shownQuestions, type PledgeValues } from './values';

/**
 * The values after the creator has changed the chosen reward. Added costs and questions are known by their place
 * in its lists: the choice and the answers follow their text to its new place, and stay where the text is gone.
 */
export function carryOver(values: PledgeValues, before: Reward, after: Reward): PledgeValues {
  const place = addedCostIndex(values, before);
  const chosen = before.added_costs[place]?.description;
  const found = after.added_costs.findIndex(({ description }) => description === chosen);
  return { ...values, added_cost: found < 0 ? place : found, ...answers(values, before, after) };
}

function answers(values: PledgeValues, before: Reward, after: Reward): Partial<PledgeValues> {
  const [asked, asks] = [shownQuestions(before), shownQuestions(after)];
  const isAskedStill = (text: string) => asks.some((question) => question.text === text);
  return Object.fromEntries(
    asks.map(({ key, text }) => {
      const same =
        asked.find((question) => question.text === text) ??
        asked.find((question) => question.key === key && !isAskedStill(question.text));
      return [questionField(after.reward_id, key), same ? answerOf(values, before, same.key) : ''];
    }),
  );
}
