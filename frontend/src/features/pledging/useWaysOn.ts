import { useState } from 'react';
import type { Reward } from '../../api/content';
import type { Failure } from './flow/failures';
import { failureIn } from './flow/failures';
import { nextStepOf } from './flow/nextSteps';
import { sumOf } from './form/sums';
import { type PledgeForm } from './form/values';
import type { NoFundsProps } from './NoFunds';
import type { Flow } from './useFlow';

/** What the ways on need to know; see NoFunds. */
export type WaysOn = Pick<NoFundsProps, 'pledgeId' | 'oneLess' | 'onGoOn'>;

/**
 * The ways on after a card that does not cover the sum; undefined when there is nothing to choose, and as soon as another
 * sum or way of paying is chosen in the form, because of that nothing is known.
 */
export function useWaysOn(
  flow: Flow,
  isMonthly: boolean,
  form: PledgeForm,
  reward: Reward | undefined,
  money: (cents: number) => string,
): WaysOn | undefined {
  const { values } = form;
  const choice = `${values.method} ${String(sumOf(values, reward).totalCents)}`;
  const failure = failureIn(flow.state);
  const [refused, setRefused] = useState<{ failure: Failure; choice: string }>();
  if (failure !== refused?.failure) setRefused(failure && { failure, choice });
  if (!failure || !nextStepOf(failure.error).ways) return undefined;
  if (refused && refused.choice !== choice) return undefined;
  const less = reward && Number(values.quantity) > 1 ? String(Number(values.quantity) - 1) : undefined;
  return {
    pledgeId: isMonthly ? undefined : flow.submissions.current()?.pledgeId,
    oneLess:
      reward && less !== undefined
        ? {
            label: `${less} × ${reward.title}`,
            sum: money(sumOf({ ...values, quantity: less }, reward).totalCents),
          }
        : undefined,
    onGoOn: (way) => {
      flow.report({ type: 'formRefused' });
      switch (way) {
        case 'card':
          form.setValue('method', 'card');
          (flow.card.current ?? flow.ownCard.current)?.focus();
          return;
        case 'page':
          form.setValue('method', 'page');
          return;
        case 'smaller':
          if (less === undefined) form.focusField('reward');
          else form.setValue('quantity', less);
          return;
        default:
          return way satisfies never;
      }
    },
  };
}
