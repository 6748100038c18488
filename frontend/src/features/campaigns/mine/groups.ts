import type { CampaignPreview } from '../../../api/content';
import { campaignStages } from '../../../domain/stages';

/** Where a campaign stands for its team. changes: an editor has asked for changes · opening: approved, its day is ahead. */
export type OwnState =
  'draft' | 'changes' | 'review' | 'opening' | 'funding' | 'monthly' | 'succeeded' | 'notReached' | 'closed';

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

/** The chips that narrow the page down; the names stand in the address. */
export const shows = ['all', 'draft', 'review', 'opening', 'open', 'ended'] as const;
export type Show = (typeof shows)[number];

export function showOf(state: OwnState): Exclude<Show, 'all'> {
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

/** From the address; anything else is all. */
export function readShow(params: URLSearchParams): Show {
  return shows.find((one) => one === params.get('show')) ?? 'all';
}

export const groupNames = ['open', 'unfinished', 'monthly', 'ended'] as const;
export type GroupName = (typeof groupNames)[number];

function groupOf(state: OwnState): GroupName {
  if (state === 'funding') return 'open';
  if (state === 'monthly') return 'monthly';
  return showOf(state) === 'ended' ? 'ended' : 'unfinished';
}

/** Whether something waits for the team: a note to mend, or a payout account for money that comes in. */
export function waits(campaign: CampaignPreview): boolean {
  const state = ownState(campaign);
  if (state === 'changes') return true;
  return (state === 'funding' || state === 'monthly') && campaign.work?.payment_account === false;
}

// Within the unfinished: what waits for the team first, then what moves by itself.
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

export interface Group {
  name: GroupName;
  campaigns: readonly CampaignPreview[];
}

/** The campaigns in their groups, without empty ones. Those that are funding come first, the one that ends soonest on top. */
export function groupsOf(campaigns: readonly CampaignPreview[], show: Show): Group[] {
  const shown = campaigns.filter((one) => show === 'all' || showOf(ownState(one)) === show);
  return groupNames
    .map((name) => ({
      name,
      campaigns: shown.filter((one) => groupOf(ownState(one)) === name).sort((a, b) => compare(name, a, b)),
    }))
    .filter((group) => group.campaigns.length > 0);
}

export function countsOf(campaigns: readonly CampaignPreview[]): Record<Show, number> {
  const counts = { all: campaigns.length, draft: 0, review: 0, opening: 0, open: 0, ended: 0 };
  for (const one of campaigns) counts[showOf(ownState(one))] += 1;
  return counts;
}
