import type { Campaign, CampaignPreview, Subscriptions } from '../../api/content';
import { campaignPercent, missingAmount } from '../../domain/progress';
import { campaignStages } from '../../domain/stages';

/**
 * A campaign's state for visitors. over: its deadline has passed, but the server has not changed its stage yet. held: it takes
 * nothing while it is looked into, whatever its stage. stopped: staff have closed it for a reason of theirs.
 */
export type CampaignState =
  'preparing' | 'open' | 'over' | 'succeeded' | 'notReached' | 'closed' | 'monthly' | 'held' | 'stopped';

type Timed = Pick<CampaignPreview, 'stage' | 'hold' | 'funding_deadline'>;

/** The state of a campaign at a time in milliseconds since 1970. */
export function campaignState({ stage, hold, funding_deadline }: Timed, now: number): CampaignState {
  if (hold) return hold === 'on_hold' ? 'held' : 'stopped';
  switch (stage) {
    case campaignStages.funding:
      return funding_deadline && new Date(funding_deadline).getTime() <= now ? 'over' : 'open';
    case campaignStages.succeeded:
      return 'succeeded';
    case campaignStages.notReached:
      return 'notReached';
    case campaignStages.closed:
      return 'closed';
    case campaignStages.recurring:
      return 'monthly';
    default:
      return 'preparing';
  }
}

/** Whether a campaign in a state that is over has ended on its last day: one that was closed or stopped has not, and its end is not told. */
export function endsOnItsLastDay(state: CampaignState): boolean {
  return state === 'succeeded' || state === 'notReached' || state === 'over';
}

/** Confirmed money as a rounded percentage of the goal; 0 without a goal. */
export function percentOf({ funding_reached, target_goal }: CampaignPreview): number {
  return campaignPercent(funding_reached, target_goal);
}

/** What is missing from the goal, in the major unit; undefined if it is reached or the sum is hidden. */
export function missing(campaign: CampaignPreview): number | undefined {
  const { funding_reached, target_goal, hide_funding_amount } = campaign;
  return hide_funding_amount ? undefined : missingAmount(funding_reached, target_goal);
}

type StepState = 'reached' | 'next' | 'later';

/** A goal of a monthly campaign with its progress. */
export interface Step {
  goalId: number;
  title: string;
  description: string;
  /** A number of supporters. */
  target: number;
  state: StepState;
  /** How far the way from the previous goal to this one is covered, 0 to 1. */
  share: number;
}

/** A monthly campaign's goals in the order of their targets, each with its progress. */
export function stepsOf(subscriptions: Subscriptions, reached: number): Step[] {
  const goals = [...subscriptions.subscriptions_goals].sort((a, b) => a.target - b.target);
  const next = goals.findIndex(({ target }) => target > reached);
  return goals.map(({ goal_id, title, description, target }, place) => {
    const before = goals[place - 1]?.target ?? 0;
    const way = target - before;
    const isReached = target <= reached;
    return {
      goalId: goal_id,
      title,
      description,
      target,
      state: isReached ? 'reached' : place === next ? 'next' : 'later',
      share: isReached ? 1 : way > 0 ? Math.min(1, Math.max(0, (reached - before) / way)) : 0,
    };
  });
}

/** The number of monthly supporters. */
export function supportersOf(
  campaign: CampaignPreview & Partial<Pick<Campaign, 'subscriptions_reached'>>,
): number {
  return campaign.subscriptions_reached ?? campaign.subscriptions?.subscriptions_subscribers_count ?? 0;
}

/** Whether a monthly campaign has no supporters. False for a hidden count, which the API returns as 0. */
export function isWithoutSupporters(campaign: Parameters<typeof supportersOf>[0]): boolean {
  return !campaign.hide_member_count && supportersOf(campaign) === 0;
}
