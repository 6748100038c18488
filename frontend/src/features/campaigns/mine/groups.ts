import type { CampaignPreview } from '../../../api/content';
import { campaignStages } from '../../../domain/stages';

/** A campaign's state for its team. changes: the review asked for changes · opening: approved, opens later. */
export type OwnState =
  'draft' | 'changes' | 'review' | 'opening' | 'funding' | 'monthly' | 'succeeded' | 'notReached' | 'closed';

/** The state by the campaign's stage and, for a draft, its review. */
export function ownState({ stage, work }: Pick<CampaignPreview, 'stage' | 'work'>): OwnState {
  switch (stage) {
    case campaignStages.preparing:
      return 'opening';
    case campaignStages.funding:
      return 'funding';
    case campaignStages.recurring:
      return 'monthly';
    case campaignStages.succeeded:
      return 'succeeded';
    case campaignStages.notReached:
      return 'notReached';
    case campaignStages.closed:
      return 'closed';
    default:
      return work?.review === 'requested'
        ? 'review'
        : work?.review === 'changes_requested'
          ? 'changes'
          : 'draft';
  }
}

/** The filters of the page, as in its address (?show=draft). */
export const filters = ['all', 'draft', 'review', 'opening', 'open', 'ended'] as const;
/** One of filters. */
export type Filter = (typeof filters)[number];

/** The filter that shows campaigns of a state. */
export function filterOf(state: OwnState): Exclude<Filter, 'all'> {
  switch (state) {
    case 'draft':
    case 'changes':
      return 'draft';
    case 'review':
    case 'opening':
      return state;
    case 'funding':
    case 'monthly':
      return 'open';
    default:
      return 'ended';
  }
}

/** Reads the filter from the address; 'all' if it is missing or unknown. */
export function readFilter(params: URLSearchParams): Filter {
  return filters.find((one) => one === params.get('show')) ?? 'all';
}

/** The groups of the page, in the order in which they are shown. */
export const groupNames = ['open', 'unfinished', 'monthly', 'ended'] as const;
/** One of groupNames. */
export type GroupName = (typeof groupNames)[number];

function groupOf(state: OwnState): GroupName {
  if (state === 'funding') return 'open';
  if (state === 'monthly') return 'monthly';
  return filterOf(state) === 'ended' ? 'ended' : 'unfinished';
}

/** Whether the team has something to do: changes that the review asked for, or a missing payout account. */
export function needsAttention(campaign: CampaignPreview): boolean {
  const state = ownState(campaign);
  if (state === 'changes') return true;
  return (state === 'funding' || state === 'monthly') && campaign.work?.payment_account === false;
}

// The order of unfinished campaigns: first those that the team works on, then those in review or approved.
const order: readonly OwnState[] = ['changes', 'draft', 'review', 'opening'];
const rank = (campaign: CampaignPreview) => order.indexOf(ownState(campaign));
const latest = (text?: string) => (text ? -new Date(text).getTime() : 0);

function compare(group: GroupName, a: CampaignPreview, b: CampaignPreview): number {
  switch (group) {
    case 'open':
      return (a.funding_deadline ?? '').localeCompare(b.funding_deadline ?? '');
    case 'unfinished':
      return rank(a) - rank(b) || latest(a.work?.updated_at) - latest(b.work?.updated_at);
    case 'monthly':
      return a.campaign_id - b.campaign_id;
    case 'ended':
      return latest(a.funding_deadline) - latest(b.funding_deadline);
  }
}

/** A group with its campaigns in order. */
export interface Group {
  name: GroupName;
  campaigns: readonly CampaignPreview[];
}

/** The campaigns that a filter shows, in groups, without empty ones. Open campaigns come first, by their deadline. */
export function groupsOf(campaigns: readonly CampaignPreview[], filter: Filter): Group[] {
  const shown = campaigns.filter((one) => filter === 'all' || filterOf(ownState(one)) === filter);
  return groupNames
    .map((name) => ({
      name,
      campaigns: shown.filter((one) => groupOf(ownState(one)) === name).sort((a, b) => compare(name, a, b)),
    }))
    .filter((group) => group.campaigns.length > 0);
}

/** The number of campaigns that each filter shows. */
export function countsOf(campaigns: readonly CampaignPreview[]): Record<Filter, number> {
  const counts = { all: campaigns.length, draft: 0, review: 0, opening: 0, open: 0, ended: 0 };
  for (const one of campaigns) counts[filterOf(ownState(one))] += 1;
  return counts;
}
