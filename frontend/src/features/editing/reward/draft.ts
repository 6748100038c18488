import type { RewardAdmin, RewardChange, RewardKind, RewardLanguageChange } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { asksForAddress } from '../../../domain/rewards';
import { maxPledge, parseCents } from '../../../domain/amounts';
import type { Fault } from '../../../domain/rules';
import { amountFault, emptyAmount, formatMinorUnits } from '../amount';

/** A text in each language; empty where there is none. */
export type ByLanguage = Record<Language, string>;

/** An added cost, as typed. */
export interface CostDraft {
  /** Local to this form; never sent. */
  id: string;
  /** In euros. */
  amount: string;
  description: ByLanguage;
  /** Whoever chooses it needs no delivery address, such as for pick-up. */
  withoutAddress?: boolean;
}

/** A question, as typed. A removed one stays in the form until it is saved, so that it can be restored. */
export interface QuestionDraft {
  /** The server's key; for a new question an id that is local to this form. */
  id: string;
  isNew?: boolean;
  isAddress: boolean;
  isRemoved?: boolean;
  text: ByLanguage;
}

/** A reward as typed: numbers are strings until they are sent. */
export interface RewardDraft {
  /** In whole euros. */
  amount: string;
  /** Empty for no limit. */
  stock: string;
  kind: RewardKind;
  /** In per cent; empty for none. */
  vat: string;
  /** YYYY-MM, a range YYYY-MM/YYYY-MM, or empty. */
  delivery: string;
  image: string;
  isHidden: boolean;
  title: ByLanguage;
  description: ByLanguage;
  imageAlt: ByLanguage;
  costs: readonly CostDraft[];
  questions: readonly QuestionDraft[];
}

const byLanguage = (textIn: (language: Language) => string | undefined): ByLanguage => ({
  fi: textIn('fi') ?? '',
  en: textIn('en') ?? '',
  sv: textIn('sv') ?? '',
});

/** A reward that does not exist on the server yet; its id is 0. */
export function newReward(campaignId: number, isShown: boolean, isMonthly = false): RewardAdmin {
  return {
    reward_id: 0,
    campaign_id: campaignId,
    version: 0,
    is_monthly: isMonthly,
    amount: 0,
    kind: 'goods',
    stock: 0,
    stock_reserved: 0,
    active: isShown ? 1 : 0,
    delivery: '',
    image: '',
    added_costs: [],
    texts: {},
    backers: 0,
    bought: [],
  };
}

/** Whether the reward does not exist on the server yet. */
export const isNew = ({ reward_id }: RewardAdmin) => reward_id === 0;

/** The form's values for a reward of the server. `language` is that of the number format. */
export function draftOf(reward: RewardAdmin, language: Language): RewardDraft {
  const { texts } = reward;
  const questions = languages
    .map((one) => texts[one]?.custom_questions ?? [])
    .reduce((longest, list) => (list.length > longest.length ? list : longest), []);
  return {
    amount: reward.amount ? String(reward.amount) : '',
    stock: reward.stock ? String(reward.stock) : '',
    kind: reward.kind,
    vat: reward.vat_percentage === undefined ? '' : String(reward.vat_percentage),
    delivery: reward.delivery,
    image: reward.image,
    isHidden: reward.active === 0,
    title: byLanguage((one) => texts[one]?.title),
    description: byLanguage((one) => texts[one]?.description),
    imageAlt: byLanguage((one) => texts[one]?.image_alt),
    costs: reward.added_costs.map((cost, place) => ({
      id: `cost-${place + 1}`,
      amount: formatMinorUnits(Math.round(cost.amount * 100), language),
      description: byLanguage((one) => cost.description[one]),
      withoutAddress: cost.without_address,
    })),
    questions: questions.map(({ key, text }, place) => ({
      id: key,
      isAddress: text === asksForAddress,
      text: byLanguage((one) => texts[one]?.custom_questions[place]?.text),
    })),
  };
}

/** The questions that were not removed. */
export const askedQuestions = ({ questions }: RewardDraft) => questions.filter(({ isRemoved }) => !isRemoved);

/** Validation errors by field name, or by the id of an added cost or question. */
export type RewardFaults = Readonly<Record<string, Fault | undefined>>;

/** The greatest stock; the contract's bound. */
const maxStock = 1_000_000;

/**
 * Validates the form. Prices are whole euros; the stock is at least what backers have reserved; a new reward needs a
 * name, so that no nameless ones are left behind.
 */
export function faultsOf(draft: RewardDraft, base: RewardAdmin): RewardFaults {
  const { stock_reserved: reserved } = base;
  const faults: Record<string, Fault | undefined> = {};
  const isNegative = (text: string) => /^[-\u2212]\d/.test(text.trim());
  const isWhole = (text: string) => /^\d+$/.test(text.trim());
  if (isNegative(draft.amount)) faults.amount = { key: 'minValue', params: { min: 1 } };
  else if (draft.amount.trim() && !isWhole(draft.amount)) faults.amount = { key: 'numeric' };
  else if (Number(draft.amount) > maxPledge) faults.amount = { key: 'atMost', params: { max: maxPledge } };
  if (!draft.isHidden && !Number(draft.amount))
    faults.amount ??= draft.amount.trim() ? { key: 'minValue', params: { min: 1 } } : { key: 'required' };
  if ((!draft.isHidden || isNew(base)) && languages.every((language) => !draft.title[language].trim()))
    faults.title = { key: 'required' };
  if (draft.stock.trim() && !isWhole(draft.stock)) faults.stock = { key: 'numeric' };
  else if (Number(draft.stock) > maxStock) faults.stock = { key: 'atMost', params: { max: maxStock } };
  // An empty stock is unlimited, and so never too small.
  else if (draft.stock.trim() && Number(draft.stock) < reserved)
    faults.stock = { key: 'stockReserved', params: { reserved } };
  for (const { id, amount, description } of draft.costs) {
    const fault = amount.trim() === '' ? emptyAmount : amountFault(amount);
    if (fault) faults[`${id}-amount`] = fault;
    if (languages.every((language) => !description[language].trim())) faults[id] = { key: 'required' };
  }
  for (const { id, isAddress, text } of askedQuestions(draft))
    if (!isAddress && languages.every((language) => !text[language].trim())) faults[id] = { key: 'required' };
  return faults;
}

/** The changes of a form, split by endpoint. */
export interface RewardChanges {
  /** For PATCH /rewards/{id}/; undefined if unchanged. */
  reward?: RewardChange;
  /** For PATCH /rewards/{id}/language/; undefined if unchanged. */
  texts?: RewardLanguageChange;
  /** How many fields differ. */
  count: number;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** How a form differs from the server's reward. Only that is sent. */
export function changesOf(base: RewardAdmin, draft: RewardDraft): RewardChanges {
  const before = draftOf(base, 'fi'); // Any language: amounts are compared as numbers.
  const reward: RewardChange = {};
  if (draft.amount !== before.amount) reward.amount = Number(draft.amount);
  if (draft.stock !== before.stock) reward.stock = Number(draft.stock);
  if (draft.kind !== before.kind) reward.kind = draft.kind;
  if (draft.vat !== before.vat) reward.vat_percentage = draft.vat === '' ? null : Number(draft.vat);
  if (draft.delivery !== before.delivery) reward.delivery = draft.delivery;
  if (draft.image !== before.image) reward.image = draft.image;
  if (draft.isHidden !== before.isHidden) reward.active = draft.isHidden ? 0 : 1;
  if (!isSame(sentCosts(draft), sentCosts(before))) reward.added_costs = sentCosts(draft);

  const texts: RewardLanguageChange = {};
  for (const language of languages) {
    const change = textsChange(before, draft, language);
    if (Object.keys(change).length > 0) texts[language] = change;
  }
  const fields = [
    ...Object.keys(reward),
    ...Object.values(texts).flatMap((change) => Object.keys(change as object)),
  ];
  return {
    reward: Object.keys(reward).length > 0 ? reward : undefined,
    texts: Object.keys(texts).length > 0 ? texts : undefined,
    count: fields.length,
  };
}

const sentCosts = ({ costs }: RewardDraft) =>
  costs.map(({ amount, description, withoutAddress }) => ({
    amount: (parseCents(amount) ?? 0) / 100,
    description: Object.fromEntries(Object.entries(description).filter(([, text]) => text.trim() !== '')),
    ...(withoutAddress && { without_address: true }),
  }));

function textsChange(before: RewardDraft, draft: RewardDraft, language: Language) {
  const change: NonNullable<RewardLanguageChange[Language]> = {};
  if (draft.title[language] !== before.title[language]) change.title = draft.title[language].trim();
  if (draft.description[language] !== before.description[language])
    change.description = draft.description[language].trim();
  if (draft.imageAlt[language] !== before.imageAlt[language])
    change.image_alt = draft.imageAlt[language].trim();
  // Questions alone do not create texts in a language, unless one is written in it.
  const isBegun = draft.title[language] !== '' || draft.questions.some(({ text }) => text[language] !== '');
  const questions = sentQuestions(draft, language);
  if (isBegun && !isSame(questions, sentQuestions(before, language))) change.custom_questions = questions;
  return change;
}

/** Every language gets the same questions in the same order. One without a translation is sent in another language. */
function sentQuestions(draft: RewardDraft, language: Language) {
  return askedQuestions(draft).map(({ id, isNew, isAddress, text }) => ({
    ...(!isNew && { key: id }),
    text: isAddress
      ? asksForAddress
      : text[language].trim() || languages.map((one) => text[one].trim()).find(Boolean) || '',
  }));
}

/** The VAT that a price in euros includes, in cents: at 13.5 %, 45 € include 5.35 €. */
export function vatWithin(amount: number, percent: number): number {
  return Math.round((amount * 100 * percent) / (100 + percent));
}
