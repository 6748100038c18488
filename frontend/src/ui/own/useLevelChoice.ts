import { useState } from 'react';
import type { Reward } from '../../api/content';
import { parseCents, toCents } from '../../domain/amounts';
import { sortRewards } from '../../domain/rewards';
import type { Fault } from '../../domain/rules';
import { leastCents, sumFault } from '../../domain/sums';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';

/** A level, or one's own amount without one. */
export interface ChosenLevel {
  cents: number;
  rewardId: number | null;
}

/** What is stored, which is chosen at first. */
export interface StoredLevel {
  rewards: readonly Reward[];
  amountMinor: number;
  rewardId: number | undefined;
  currency: string;
  /** What was chosen before and is not stored; it is chosen at first instead. */
  earlier?: ChosenLevel;
}

/** The choice of a level or of one's own amount. */
export interface LevelFieldsState {
  levels: readonly Reward[];
  currency: string;
  chosen: number | 'own';
  amount: string;
  fault: Fault | undefined;
  choose: (level: Reward | undefined) => void;
  type: (amount: string) => void;
  /** What is chosen, in cents; undefined while the amount is none. */
  cents: number | undefined;
  /** Whether it differs from what is stored. */
  isChanged: boolean;
  reset: () => void;
  /** What is chosen; undefined if the amount is at fault, which is then shown. */
  read: () => ChosenLevel | undefined;
}

/** The state of the fields for a level of monthly support. */
export function useLevelChoice(from: StoredLevel): LevelFieldsState {
  const { rewards, amountMinor, rewardId, currency, earlier } = from;
  const language = useLanguage();
  const levels = sortRewards(rewards.filter(({ active }) => active === 1));
  const storedLevel = levels.find(
    ({ reward_id, amount }) => reward_id === rewardId && toCents(amount) === amountMinor,
  );
  const stored = storedLevel?.reward_id ?? 'own';
  const [typed, setTyped] = useState<{ chosen: number | 'own'; amount: string } | undefined>(
    earlier && {
      chosen: levels.find(({ reward_id }) => reward_id === earlier.rewardId)?.reward_id ?? 'own',
      amount: plain(earlier.cents, language),
    },
  );
  const [fault, setFault] = useState<Fault>();
  const chosen = typed?.chosen ?? stored;
  const amount = typed?.amount ?? plain(amountMinor, language);
  const level = levels.find(({ reward_id }) => reward_id === chosen);
  const cents = level ? toCents(level.amount) : parseCents(amount);
  const change = (to: { chosen?: number | 'own'; amount?: string }) => {
    setFault(undefined);
    setTyped({ chosen, amount, ...to });
  };
  return {
    levels,
    currency,
    chosen,
    amount,
    fault,
    choose: (one) => change({ chosen: one?.reward_id ?? 'own' }),
    type: (text) => change({ amount: text }),
    cents,
    isChanged: cents !== amountMinor || chosen !== stored,
    reset: () => {
      setTyped(undefined);
      setFault(undefined);
    },
    read: () => {
      const money = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
      const found = level ? undefined : sumFault(amount, leastCents, money);
      setFault(found);
      if (found || cents === undefined) return undefined;
      return { cents, rewardId: level?.reward_id ?? null };
    },
  };
}

/** Cents as one types them: 7, 7,50 or in English 7.50. */
function plain(minor: number, language: string): string {
  const text = minor % 100 === 0 ? String(minor / 100) : (minor / 100).toFixed(2);
  return language === 'en' ? text : text.replace('.', ',');
}
