import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Reward } from '../../api/content';
import type { FieldName } from '../../ui/useAppForm';
import { carryOver } from './form/carryOver';
import type { PledgeForm, PledgeValues } from './form/values';

/**
 * Whether the creator has changed the chosen reward since it was chosen. What was typed is carried over to each new
 * version. `before`: the reward that the form was filled in for before a reload.
 */
export function useChangedReward(reward: Reward | undefined, form: PledgeForm, before?: Reward): boolean {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const seen = useRef(before ?? reward);
  const [changedId, setChangedId] = useState<number>();
  // In a layout effect, so that a choice is never painted at the old position.
  useLayoutEffect(() => {
    const last = seen.current;
    seen.current = reward;
    if (!reward || last?.reward_id !== reward.reward_id) {
      setChangedId(undefined);
    } else if (last.reward_version !== reward.reward_version) {
      const { values, setValue } = latest.current;
      const moved = carryOver(values, last, reward);
      const names = Object.keys(moved) as FieldName<PledgeValues>[];
      for (const name of names) {
        const value = moved[name];
        if (value !== undefined && value !== values[name]) setValue(name, value);
      }
      setChangedId(reward.reward_id);
    }
  }, [reward]);
  return changedId !== undefined && changedId === reward?.reward_id;
}
