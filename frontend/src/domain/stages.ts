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

/** A stage's name in this app. */
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

/** A stage's name in this app. */
export type ExperimentStageName = (typeof experimentStages)[number];

/** Whether a campaign takes pledges or monthly support: one on hold takes none, whatever its stage. */
export function takesPledges({ stage, hold }: { stage: number; hold?: string }): boolean {
  return !hold && (stage === campaignStages.funding || isRecurring(stage));
}

/** Whether a campaign in this stage is a monthly one. */
export function isRecurring(stage: number): boolean {
  return stage === campaignStages.recurring;
}

/** The name of a campaign stage by its number; undefined for an unknown number. */
export function campaignStageName(stage: number): CampaignStageName | undefined {
  return (Object.keys(campaignStages) as CampaignStageName[]).find((name) => campaignStages[name] === stage);
}

/** The name of an experiment stage by its number; undefined for an unknown number. */
export function experimentStageName(stage: number): ExperimentStageName | undefined {
  return experimentStages[stage];
}
