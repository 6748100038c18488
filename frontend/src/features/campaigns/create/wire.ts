import type {
  CampaignSettingsChange,
  GuidedCampaign,
  NewCampaign,
  SubscriptionGoalChange,
} from '../../../api/editing';
import { fromCents, parseCents } from '../../../domain/amounts';
import type { Language } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';
import { partFaults, type RuleContext } from './rules';
import { partsOf, typedGoals, type DraftValues, type Part } from './values';

/** The reward in the API's format. In another language it is another one: it has to be sent again. */
export interface WireReward {
  language: Language;
  title: string;
  description: string;
  /** In the major unit. */
  amount: number;
  /** 0 for unlimited. */
  stock: number;
}

/** The parts of a new campaign that are saved one by one: its values in the API's format, by the endpoint that changes them. */
export interface Wire {
  settings: CampaignSettingsChange;
  texts: { language: Language; title: string; tagline: string };
  /** Category ids. */
  categories: number[];
  meta: { legal_creator_type?: 'person' | 'association' | 'company' };
  goals: { language: Language; list: SubscriptionGoalChange[] };
  reward: WireReward;
}

/** What the server has before there is a draft, in the order in which parts are sent: the language first. */
export const nothing: Wire = {
  settings: {},
  texts: { language: 'fi', title: '', tagline: '' },
  categories: [],
  meta: {},
  goals: { language: 'fi', list: [] },
  reward: { language: 'fi', title: '', description: '', amount: 0, stock: 0 },
};

/**
 * Converts the form's values; what is invalid or not filled in yet is left out. Undefined without a valid title: a draft
 * cannot be created without one.
 */
export function wireOf(values: DraftValues, context: RuleContext): Partial<Wire> | undefined {
  const parts = partsOf(values.variant);
  const faults = Object.assign({}, ...parts.map((part) => partFaults(part, values, context))) as Record<
    string,
    unknown
  >;
  if (faults.title) return undefined;
  const has = (part: Part) => parts.includes(part);
  const kept = <Value>(name: keyof DraftValues, value: Value) => (faults[name] ? undefined : value);
  const isMonthly = values.variant === 'monthly';
  const isGuided = values.variant !== 'short';
  const settings: CampaignSettingsChange = {
    language: values.language,
    opens_as: isMonthly ? campaignStages.recurring : campaignStages.funding,
    ...(isGuided && { place: kept('place', values.place.trim()) }),
    ...(has('money') && {
      target_goal: kept('target_goal', fromCents(parseCents(values.target_goal) ?? 0)),
      funding_rule: kept('funding_rule', values.funding_rule || undefined),
      first_day_of_funding: kept('first_day_of_funding', values.first_day_of_funding),
      last_day_of_funding: kept('last_day_of_funding', values.last_day_of_funding),
    }),
    ...(has('who') && {
      legal_creator: kept('legal_creator', values.legal_creator.trim()),
      contact_email: kept('contact_email', values.contact_email.trim()),
    }),
  };
  const hasFault = (prefix: string) =>
    Object.keys(faults).some((name) => name.startsWith(prefix) && faults[name]);
  return {
    settings: withoutUndefined(settings),
    texts: {
      language: values.language,
      title: values.title.trim(),
      tagline: faults.tagline || !isGuided ? '' : values.tagline.trim(),
    },
    categories: isGuided && values.category ? [Number(values.category)] : undefined,
    meta: has('who') && values.legal_creator_type ? { legal_creator_type: values.legal_creator_type } : {},
    goals:
      isMonthly && !hasFault('goals.') ? { language: values.language, list: goalsOf(values) } : undefined,
    reward: has('reward') && !hasFault('reward_') ? rewardOf(values) : undefined,
  };
}

function goalsOf(values: DraftValues): SubscriptionGoalChange[] {
  return typedGoals(values)
    .map(({ target, title }) => ({ target: Number(target), title: title.trim() }))
    .sort((a, b) => a.target - b.target);
}

function rewardOf(values: DraftValues): WireReward {
  return {
    language: values.language,
    title: values.reward_title.trim(),
    description: values.reward_description.trim(),
    amount: Number(values.reward_amount),
    stock: Number(values.reward_stock || 0),
  };
}

/** The version of the endpoint that creates the draft, and the request's body. */
export type CreateRequest = { call: 'v2'; body: NewCampaign } | { call: 'v3'; body: GuidedCampaign };

/** The request that creates the draft, with everything that is filled in so far. */
export function createRequestOf(
  variant: DraftValues['variant'],
  { settings: all, texts, ...wire }: Partial<Wire>,
): CreateRequest {
  const { opens_as: stage, language, place, ...settings } = all ?? {};
  const named = {
    title: texts?.title ?? '',
    language,
    stage,
    ...(texts?.tagline && { tagline: texts.tagline }),
    ...(wire.categories && { categories: wire.categories }),
    ...(place && { place }),
  };
  if (variant === 'short') return { call: 'v2', body: named };
  const rest = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== '' && value !== 0),
  );
  return {
    call: 'v3',
    body: {
      ...named,
      ...rest,
      ...wire.meta,
      ...(wire.goals && { subscriptions_goals: wire.goals.list }),
      ...(wire.reward && { rewards: [withoutLanguage(wire.reward)] }),
    },
  };
}

function withoutLanguage({ title, description, amount, stock }: WireReward): Omit<WireReward, 'language'> {
  return { title, description, amount, stock };
}

/** The entries of `wanted` that differ from `saved`. */
export function differences<Values extends object>(wanted: Values, saved: Values): Partial<Values> {
  const entries = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify((saved as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(entries) as Partial<Values>;
}

/** Whether two values of a part have the same entries. */
export const isSame = (one: object, other: object) =>
  Object.keys({ ...differences(one, other), ...differences(other, one) }).length === 0;

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
