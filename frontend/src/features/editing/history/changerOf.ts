import type { HistoryAnswer, HistoryChange } from '../../../api/editing';
import type { Changer } from '../merge/textMerge';

/** Who other than the writer has last made a change of a kind, by the latest changes. */
export function changerOf(
  { data }: { data?: HistoryAnswer },
  userId: number,
  is: (change: HistoryChange) => boolean,
): Changer {
  const change = data?.changes.find((one) => one.by.user_id !== userId && is(one));
  return { who: change?.by.name ?? '', at: change?.at ?? '' };
}
