import { fromCents, maxPledge, toCents } from '../../../domain/amounts';
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
import { sumFault } from '../../../domain/sums';
import type { Faults } from '../../../ui/useAppForm';
import { typedGoals, type DraftValues, type Part } from './values';

/** What the rules need besides the values. */
export interface RuleContext {
  /** Today in the platform's time zone, YYYY-MM-DD. */
  today: string;
  /** Formats a day (YYYY-MM-DD) for a message. */
  day: (day: string) => string;
}

/** Maximum lengths in characters, as in the contract. */
export const maxLengths = { title: 60, tagline: 140, place: 100, reward: 80, goal: 80, legal: 200 } as const;
const maxCount = 1_000_000;

/** The greatest goal, in euros; the contract's bound. */
const maxGoal = 100_000_000;

const amount: Rule<string> = (value): Fault | undefined =>
  value.trim() === '' ? undefined : sumFault(value, 100, fromCents, toCents(maxGoal));
const count = all(numeric, atMost(maxCount));
const choose = (value: string): Fault | undefined => (value === '' ? { key: 'choose' } : undefined);

/** The validation errors of a part's fields. Fields that the part does not require may be empty. */
export function partFaults(part: Part, values: DraftValues, { today, day }: RuleContext): Faults {
  const check = (value: string, ...rules: Rule<string>[]) => all(...rules)(value, values);
  switch (part) {
    case 'idea': {
      const title = check(values.title, required, maxLength(maxLengths.title));
      if (values.variant === 'short') return { title };
      return {
        title,
        tagline: check(values.tagline, maxLength(maxLengths.tagline)),
        category: choose(values.category),
        place: check(values.place, maxLength(maxLengths.place)),
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
        reward_title: check(values.reward_title, required, maxLength(maxLengths.reward)),
        reward_amount: check(values.reward_amount, required, minValue(1), numeric, atMost(maxPledge)),
        reward_stock: check(values.reward_stock, count),
        reward_description: check(values.reward_description, maxLength(2_000)),
      };
    case 'who':
      return {
        legal_creator_type: choose(values.legal_creator_type),
        legal_creator: check(values.legal_creator, required, maxLength(maxLengths.legal)),
        contact_email: check(values.contact_email, required, email, maxLength(254)),
      };
  }
}

/** Both days are optional in a draft: they are required only for the review. */
function dayFaults(values: DraftValues, today: string, day: (day: string) => string): Faults {
  const { first_day_of_funding: first, last_day_of_funding: last } = values;
  const from = first > today ? first : today;
  return {
    first_day_of_funding:
      first && first < today ? { key: 'dateFrom', params: { min: day(today) } } : undefined,
    last_day_of_funding: last && last < from ? { key: 'dateFrom', params: { min: day(from) } } : undefined,
  };
}

/** Validation errors by names such as `goals.0.target`. At least one goal is required, and no target twice. */
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
      [`goals.${place}.title`, all(required, maxLength(maxLengths.goal))(title, values)],
    ] as [string, Fault | undefined][];
  });
  return Object.fromEntries(faults);
}

/** Whether a part has no validation errors. */
export function isWhole(part: Part, values: DraftValues, context: RuleContext): boolean {
  return Object.values(partFaults(part, values, context)).every((fault) => fault === undefined);
}
