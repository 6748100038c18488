import type { TFunction } from 'i18next';
import { decidingGoal, isReached, type Goals } from '../domain/goals';
import type { Language } from '../domain/languages';
import { campaignStages } from '../domain/stages';
import { formatDay, formatMoney } from './format';

/** What of a campaign decides about the money. */
export interface Funding extends Goals {
  funding_rule: 'all_or_nothing' | 'keep_what_is_raised';
  stage: number;
  funding_reached: number;
  hide_funding_amount: boolean;
  last_day_of_funding?: string;
  currency: string;
}

/**
 * What becomes of what a backer pays. open: it returns if the goal is missed · reached: the goal is there · kept: the creator
 * gets it in any case · returned: the goal was missed · closed: an editor ended the campaign, and no rule tells.
 */
export type MoneyOutcome = 'open' | 'reached' | 'kept' | 'returned' | 'closed';

function outcomeOf(funding: Funding): MoneyOutcome {
  const { funding_rule, stage, funding_reached, hide_funding_amount } = funding;
  if (funding_rule === 'keep_what_is_raised') return 'kept';
  if (stage === campaignStages.closed) return 'closed';
  if (stage === campaignStages.notReached) return 'returned';
  if (stage === campaignStages.succeeded) return 'reached';
  // A hidden sum must not be told by what is promised about it.
  return !hide_funding_amount && isReached(funding_reached, decidingGoal(funding)) ? 'reached' : 'open';
}

export interface MoneyContext {
  t: TFunction;
  language: Language;
  hasReward: boolean;
}

export interface MoneyTexts {
  outcome: MoneyOutcome;
  /** Beside the way to join: that it is charged now, and what becomes of it. */
  charge: string;
  /** At the campaign's end, in the way of the money. */
  atEnd: string;
  /** If the goal is missed; undefined where that changes nothing. Takes the sum as the reader writes it. */
  missed?: (sum: string) => string;
  /** On the receipt. */
  receipt: string;
  /** Of a campaign that has ended with success or without. */
  ended: string;
  /** Key of what one agrees to at the pay button; the text has a <terms> link in it. */
  terms: 'money.terms.reward' | 'money.terms.support';
}

/** The one place where funding rule, stage and sums become words: what one screen says must not contradict another. */
export function moneyTexts(funding: Funding, { t, language, hasReward }: MoneyContext): MoneyTexts {
  const outcome = outcomeOf(funding);
  const { last_day_of_funding: lastDay, currency } = funding;
  const goal = formatMoney(language, decidingGoal(funding), { cents: false, currency });
  const day = lastDay && formatDay(language, lastDay);
  return {
    outcome,
    charge: t(`money.charge.${outcome}`, { goal }),
    atEnd: [t(`money.atEnd.${outcome}`, { goal }), hasReward && outcome === 'kept' && t('money.rewardStill')]
      .filter(Boolean)
      .join(' '),
    missed: outcome === 'open' ? (sum) => t('money.missed', { sum }) : undefined,
    receipt:
      outcome === 'open' && day
        ? t('money.receipt.openBy', { goal, day })
        : t(`money.receipt.${outcome}`, { goal }),
    ended: t(`money.ended.${outcome === 'kept' ? keptEnding(funding) : outcome}`),
    terms: hasReward ? 'money.terms.reward' : 'money.terms.support',
  };
}

/** How a campaign ended whose money is the creator's in any case: its stage alone does not say that the goal was reached. */
function keptEnding(funding: Funding) {
  const { stage, funding_reached, hide_funding_amount } = funding;
  if (stage === campaignStages.closed) return 'closed';
  if (stage !== campaignStages.succeeded) return 'kept';
  return !hide_funding_amount && isReached(funding_reached, decidingGoal(funding)) ? 'reached' : 'keptWell';
}
