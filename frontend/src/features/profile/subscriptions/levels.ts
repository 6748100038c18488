import type { Subscription as Paying, SubscriptionLevel } from '../../../api/subscriptionPayments';
import type { Subscription } from '../../../api/subscriptions';
import { changesFrom, inLanguage, languageIn } from '../../../ui/own/paying';

/** What a month costs, in the major unit, and the reward's title, if it has one. */
export interface RowLevel {
  amount: number;
  reward: string | undefined;
  /** Of the title; undefined where that is not known. */
  language: string | undefined;
}

/** The level that counts now, and the one that was chosen and has not begun, with its first day, if that is known. */
export interface RowLevels {
  level: RowLevel;
  next: (RowLevel & { day: string | undefined }) | undefined;
}

/** Of the list's own words. */
export function levelsIn(subscription: Subscription): RowLevels {
  const { amount, reward_title: reward, next_amount: next, next_reward_title: nextReward } = subscription;
  return {
    level: { amount, reward, language: subscription.reward_language },
    next:
      next === undefined
        ? undefined
        : {
            amount: next,
            reward: nextReward,
            language: subscription.next_reward_language,
            day: subscription.next_charge_on ?? subscription.held_on,
          },
  };
}

/** Of the payment service's answer. */
export function levelsOf(subscription: Paying, language: string): RowLevels {
  const { level, next_level: next, reward } = subscription;
  const titled = (one: SubscriptionLevel): RowLevel => ({
    amount: one.amount_minor / 100,
    reward: one.reward && inLanguage(one.reward.title, language),
    language: one.reward && languageIn(one.reward.title, language),
  });
  return {
    level: titled({ ...level, reward: level.reward ?? reward }),
    next: next && { ...titled(next), day: changesFrom(subscription) },
  };
}
