import type { Reward } from '../../../api/content';
import { addedCostIndex } from './sums';
import { answerOf, questionField, shownQuestions, type PledgeValues } from './values';

/**
 * Adapts the form's values after the creator has changed the chosen reward. Added costs and questions are identified by
 * their position, so the chosen cost and the answers move to the new position of the same text. A chosen cost whose
 * text is gone keeps its position; so does the answer of a question that was only reworded.
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
