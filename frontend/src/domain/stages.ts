/** Campaign stages with their numbers in the API. */
export const campaignStages = {
  draft: 0,
  preparing: 1,
  funding: 2,
  succeeded: 3,
  notReached: 4,
  closed: 5,
  recurring: 6,
} as const;

export type CampaignStageName = keyof typeof campaignStages;

/** Experiment stages; the index is their number in the API. */
export const experimentStages = [
  'idea',
  'planned',
  'running',
  'evaluated',
  'adopted',
  'ended',
  'archived',
] as const;

export type ExperimentStageName = (typeof experimentStages)[number];

/** Whether a campaign in this stage takes pledges. */
export function takesPledges(stage: number): boolean {
  return stage === campaignStages.funding || isRecurring(stage);
}

export function isRecurring(stage: number): boolean {
  return stage === campaignStages.recurring;
}

export function campaignStageName(stage: number): CampaignStageName | undefined {
  return (Object.keys(campaignStages) as CampaignStageName[]).find((name) => campaignStages[name] === stage);
}

export function experimentStageName(stage: number): ExperimentStageName | undefined {
  return experimentStages[stage];
}

/** Sorts experiments by stage, then id. */
export function byStageThenId<T extends { stage: number; experiment_id: number }>(
  experiments: readonly T[],
): T[] {
  return [...experiments].sort((a, b) => a.stage - b.stage || a.experiment_id - b.experiment_id);
}
