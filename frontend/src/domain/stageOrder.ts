/** Sorts experiments by stage, then id. */
export function byStageThenId<T extends { stage: number; experiment_id: number }>(
  experiments: readonly T[],
): T[] {
  return [...experiments].sort((a, b) => a.stage - b.stage || a.experiment_id - b.experiment_id);
}
