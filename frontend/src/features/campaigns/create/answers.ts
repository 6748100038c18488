import type { TFunction } from 'i18next';
import { parseCents, fromCents } from '../../../domain/amounts';
import type { Language } from '../../../domain/languages';
import { formatCount, formatDay, formatMoney } from '../../../i18n/format';
import { typedGoals, type DraftValues, type Part } from './values';

/** The answers of a part in one line. */
export function answerOf(
  part: Part,
  values: DraftValues,
  { t, language, category }: { t: TFunction; language: Language; category: string },
): string {
  const money = (typed: string) => formatMoney(language, fromCents(parseCents(typed) ?? 0), { cents: false });
  const { first_day_of_funding: first, last_day_of_funding: last } = values;
  const lists: Record<Part, string[]> = {
    idea: [values.title, values.variant === 'short' ? '' : category, values.place],
    money: [
      values.target_goal && money(values.target_goal),
      values.funding_rule && t(`begin.rules.${values.funding_rule}.label`),
      [first, last].map((day) => day && formatDay(language, day)).join('–'),
    ],
    goals: typedGoals(values).map(({ target, title }) => `${formatCount(language, Number(target))} ${title}`),
    reward: [values.reward_title, values.reward_amount && money(values.reward_amount)],
    who: [values.legal_creator, values.contact_email],
  };
  return lists[part].filter((one) => one.replace('–', '').trim() !== '').join(' · ');
}

/** The form's field for a path in the server's validation errors, such as fi.tagline or rewards[0].title. */
export function fieldOfPath(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const goal = /^subscriptions_goals\[(\d+)\]/.exec(path)?.[1];
  if (goal) return `goals.${goal}.${name}`;
  if (path.startsWith('rewards[')) return `reward_${name}`;
  return name === 'min_goal' ? 'target_goal' : name;
}

/** The part that has a field. */
export function partOfField(name: string): Part {
  if (name.startsWith('goals')) return 'goals';
  if (name.startsWith('reward')) return 'reward';
  if (/^(legal_creator|contact_email)/.test(name)) return 'who';
  return /goal|funding/.test(name) ? 'money' : 'idea';
}
