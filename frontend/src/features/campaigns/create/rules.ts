import { mostPledged, parseCents } from '../../../domain/amounts';
import {
  all,
  atMost,
  email,
  maxLength,
  minValue,
  numeric,
  required,
  type Fault,
  type Rule,
} from '../../../domain/rules';
import type { Faults } from '../../../ui/useAppForm';
import { typedGoals, type DraftValues, type Part } from './values';

export interface RuleContext {
  /** The platform's today, YYYY-MM-DD. */
  today: string;
  /** Writes a day for a message. */
  day: (day: string) => string;
}

/** The contract's bounds, in characters. */
export const longest = { title: 60, tagline: 140, place: 100, reward: 80, goal: 80, legal: 200 } as const;
const most = 1_000_000;

const amount: Rule<string> = (value): Fault | undefined => {
  if (value.trim() === '') return undefined;
  const cents = parseCents(value);
  if (cents === undefined) return { key: 'decimal', params: { places: 2 } };
  return cents < 100 ? { key: 'minValue', params: { min: 1 } } : undefined;
};
const count = all(numeric, atMost(most));
const choose = (value: string): Fault | undefined => (value === '' ? { key: 'choose' } : undefined);

/** What is wrong with a part's fields. Empty fields may wait unless the part needs them. */
export function partFaults(part: Part, values: DraftValues, { today, day }: RuleContext): Faults {
  const check = (value: string, ...rules: Rule<string>[]) => all(...rules)(value, values);
  switch (part) {
    case 'idea': {
      const title = check(values.title, required, maxLength(longest.title));
      if (values.variant === 'short') return { title };
      return {
        title,
        tagline: check(values.tagline, maxLength(longest.tagline)),
        category: choose(values.category),
        place: check(values.place, maxLength(longest.place)),
      };
    }
    case 'money':
      return {
        target_goal: check(values.target_goal, required, amount),
        funding_rule: choose(values.funding_rule),
        ...dayFaults(values, today, day),
      };
    case 'goals':
      return goalFaults(values);
    case 'reward':
      return {
        reward_title: check(values.reward_title, required, maxLength(longest.reward)),
        reward_amount: check(values.reward_amount, required, minValue(1), numeric, atMost(mostPledged)),
        reward_stock: check(values.reward_stock, count),
        reward_description: check(values.reward_description, maxLength(2_000)),
      };
    case 'who':
      return {
        legal_creator_type: choose(values.legal_creator_type),
        legal_creator: check(values.legal_creator, required, maxLength(longest.legal)),
        contact_email: check(values.contact_email, required, email, maxLength(254)),
      };
  }
}

/** Days are advice until the review: both may be empty. */
function dayFaults(values: DraftValues, today: string, day: (day: string) => string): Faults {
  const { first_day_of_funding: first, last_day_of_funding: last } = values;
  const from = first > today ? first : today;
  return {
    first_day_of_funding:
      first && first < today ? { key: 'dateFrom', params: { min: day(today) } } : undefined,
    last_day_of_funding: last && last < from ? { key: 'dateFrom', params: { min: day(from) } } : undefined,
  };
}

/** Faults by `goals.0.target`. At least one goal, each with a number of supporters that no other has. */
function goalFaults(values: DraftValues): Faults {
  const hasAny = typedGoals(values).length > 0;
  const targets = values.goals.map(({ target }) => target.trim());
  const faults = values.goals.flatMap(({ target, title }, place) => {
    if (`${target}${title}`.trim() === '' && (place > 0 || hasAny)) return [];
    const isTwice = targets.indexOf(target.trim()) < place;
    const ofTarget =
      all(required, minValue(1), count)(target, values) ?? (isTwice ? { key: 'once' } : undefined);
    return [
      [`goals.${place}.target`, ofTarget],
      [`goals.${place}.title`, all(required, maxLength(longest.goal))(title, values)],
    ] as [string, Fault | undefined][];
  });
  return Object.fromEntries(faults);
}

/** Whether none of a part's fields has a fault. */
export function isWhole(part: Part, values: DraftValues, context: RuleContext): boolean {
  return Object.values(partFaults(part, values, context)).every((fault) => fault === undefined);
}
