import type { Category } from '../../../api/content';
import type { Language } from '../../../domain/languages';

/** The variants of the form: guided in parts, short with only the title, or for a monthly campaign. */
export const variants = ['guided', 'short', 'monthly'] as const;
/** One of variants. */
export type Variant = (typeof variants)[number];

/** The parts of the form. Each variant has some of them, see partsOf. */
export type Part = 'idea' | 'money' | 'goals' | 'reward' | 'who';

/** A goal of a monthly campaign as it is typed. */
export interface TypedGoal {
  target: string;
  title: string;
}

/** The values of all fields as typed. The variants share them, so that switching between variants loses nothing. */
export interface DraftValues {
  variant: Variant;
  title: string;
  tagline: string;
  /** The id of the category, '' for none. */
  category: string;
  place: string;
  language: Language;
  target_goal: string;
  funding_rule: '' | 'all_or_nothing' | 'keep_what_is_raised';
  first_day_of_funding: string;
  last_day_of_funding: string;
  goals: readonly TypedGoal[];
  reward_title: string;
  reward_description: string;
  reward_amount: string;
  reward_stock: string;
  legal_creator_type: '' | 'person' | 'association' | 'company';
  legal_creator: string;
  contact_email: string;
}

const noGoal: TypedGoal = { target: '', title: '' };

/** The values of an empty form. */
export function emptyValues(language: Language): DraftValues {
  return {
    variant: 'guided',
    title: '',
    tagline: '',
    category: '',
    place: '',
    language,
    target_goal: '',
    funding_rule: '',
    first_day_of_funding: '',
    last_day_of_funding: '',
    goals: [noGoal, noGoal, noGoal],
    reward_title: '',
    reward_description: '',
    reward_amount: '',
    reward_stock: '',
    legal_creator_type: '',
    legal_creator: '',
    contact_email: '',
  };
}

const parts: Readonly<Record<Variant, readonly Part[]>> = {
  guided: ['idea', 'money', 'reward', 'who'],
  short: ['idea'],
  monthly: ['idea', 'goals', 'reward', 'who'],
};

/** The parts of a variant, in order. */
export function partsOf(variant: Variant): readonly Part[] {
  return parts[variant];
}

/** The goals that are not empty. */
export function typedGoals({ goals }: DraftValues): readonly TypedGoal[] {
  return goals.filter(({ target, title }) => `${target}${title}`.trim() !== '');
}

/** The label of a category by its id, as it is in the form's values; '' if there is none. */
export function labelOf(categories: readonly Category[], id: string): string {
  return categories.find((one) => String(one.id) === id)?.label ?? '';
}
