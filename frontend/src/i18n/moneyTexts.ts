import type { TFunction } from 'i18next';
import { decidingGoal, isReached, type Goals } from '../domain/goals';
import type { Language } from '../domain/languages';
import { campaignStages, isRecurring } from '../domain/stages';
import { formatDate, formatMoney } from './format';

/** The fields of a campaign that decide what happens to the money. Sums are in the major unit. */
export interface Funding extends Goals {
  funding_rule: 'all_or_nothing' | 'keep_what_is_raised';
  stage: number;
  funding_reached: number;
  hide_funding_amount: boolean;
  last_day_of_funding?: string;
  currency: string;
}

/**
 * What happens to a backer's money. open: it is returned if the goal is missed · reached: the goal is reached · kept:
 * the creator gets it in any case · returned: the goal was missed · closed: staff ended the campaign, and no rule applies:
 * while it was raising money all goes back.
 */
export type MoneyOutcome = 'open' | 'reached' | 'kept' | 'returned' | 'closed';

function outcomeOf(funding: Funding): MoneyOutcome {
  const { funding_rule, stage, funding_reached, hide_funding_amount } = funding;
  if (stage === campaignStages.closed) return 'closed';
  if (funding_rule === 'keep_what_is_raised') return 'kept';
  if (stage === campaignStages.notReached) return 'returned';
  if (stage === campaignStages.succeeded) return 'reached';
  // "reached" would reveal something about a hidden sum.
  return !hide_funding_amount && isReached(funding_reached, decidingGoal(funding)) ? 'reached' : 'open';
}

/** How the texts are written, and whether the pledge has a reward. */
export interface MoneyContext {
  t: TFunction;
  language: Language;
  hasReward: boolean;
}

/** The texts for each place that mentions the money. */
export interface MoneyTexts {
  outcome: MoneyOutcome;
  /** Next to the pledge button: that it is charged now, and what happens to it. */
  charge: string;
  /** In the checkout's timeline: what happens at the end of the campaign. */
  atEnd: string;
  /** That the pledge is returned if the goal is missed; undefined where it is not. Takes the formatted sum. */
  missed?: (sum: string) => string;
  /** On the receipt; the receipt's mail says the same (proto-docs/money-words.json). */
  receipt: string;
  /** For a campaign that has ended. */
  ended: string;
  /** For the campaign's team. A function, because only the overview page has loaded its text. */
  creator: () => string;
  /** The text key of what the backer agrees to at the pay button; the text contains a <terms> link. */
  terms: 'money.terms.reward' | 'money.terms.support' | 'money.terms.monthly';
}

/**
 * All texts about what happens to the money. In one place, so that no page contradicts another. Monthly support has no
 * goal that decides: its campaign has only the receipt and the terms.
 */
export function moneyTexts(funding: Funding, { t, language, hasReward }: MoneyContext): MoneyTexts {
  const outcome = outcomeOf(funding);
  const isMonthly = isRecurring(funding.stage);
  const { last_day_of_funding: lastDay, currency } = funding;
  const goal = formatMoney(language, decidingGoal(funding), { cents: false, currency });
  const day = lastDay && formatDate(language, lastDay);
  return {
    outcome,
    charge: t(`money.charge.${outcome}`, { goal }),
    atEnd: [t(`money.atEnd.${outcome}`, { goal }), hasReward && outcome === 'kept' && t('money.rewardStill')]
      .filter(Boolean)
      .join(' '),
    missed: outcome === 'open' ? (sum) => t('money.missed', { sum }) : undefined,
    receipt: isMonthly
      ? t('money.receipt.monthly')
      : outcome === 'open' && day
        ? t('money.receipt.openBy', { goal, day })
        : t(`money.receipt.${outcome}`, { goal }),
    ended: t(`money.ended.${outcome === 'kept' ? keptEnding(funding) : outcome}`),
    creator: () => t(`overview.money.${outcome}`, { goal }),
    terms: isMonthly ? 'money.terms.monthly' : hasReward ? 'money.terms.reward' : 'money.terms.support',
  };
}

/**
 * How a campaign ended whose creator gets the money in any case: "succeeded" does not mean that the goal was reached.
 */
function keptEnding(funding: Funding) {
  const { stage, funding_reached, hide_funding_amount } = funding;
  if (stage !== campaignStages.succeeded) return 'kept';
  return !hide_funding_amount && isReached(funding_reached, decidingGoal(funding)) ? 'reached' : 'keptWell';
}
