import type { Campaign, CampaignPreview, Subscriptions } from '../../api/content';
import { campaignPercent, missingAmount } from '../../domain/progress';
import type { ProgressFacts } from '../../i18n/progressText';
import { campaignStages } from '../../domain/stages';

/** What a visitor can do on a campaign now. A deadline that has passed ends an open campaign before its stage moves. */
export type CampaignState = 'preparing' | 'open' | 'over' | 'succeeded' | 'notReached' | 'closed' | 'monthly';

type Timed = Pick<CampaignPreview, 'stage' | 'funding_deadline'>;

export function campaignState({ stage, funding_deadline }: Timed, now: number): CampaignState {
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

/** Confirmed money over the goal, rounded. */
export function percentOf({ funding_reached, target_goal }: CampaignPreview): number {
  return campaignPercent(funding_reached, target_goal);
}

/** A campaign as words about its progress need it. */
export function progressFacts({ funding_reached, target_goal, currency }: CampaignPreview): ProgressFacts {
  return { reached: funding_reached, goal: target_goal, currency };
}

/** What is missing from the goal, in the major unit; undefined when it is reached or hidden. */
export function missing(campaign: CampaignPreview): number | undefined {
  const { funding_reached, target_goal, hide_funding_amount } = campaign;
  return hide_funding_amount ? undefined : missingAmount(funding_reached, target_goal);
}

type StepState = 'reached' | 'next' | 'later';

export interface Step {
  goalId: number;
  title: string;
  description: string;
  target: number;
  state: StepState;
  /** How much of the way from the step before is done, 0 to 1. */
  share: number;
}

/** The goals of monthly support in the order of their targets, each with its part of the way. */
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

/** The count of monthly supporters. */
export function supportersOf(
  campaign: CampaignPreview & Partial<Pick<Campaign, 'subscriptions_reached'>>,
): number {
  return campaign.subscriptions_reached ?? campaign.subscriptions?.subscriptions_subscribers_count ?? 0;
}

/** Nobody supports it yet. A hidden count is nought on the wire too, and says nothing. */
export function isWithoutSupporters(campaign: Parameters<typeof supportersOf>[0]): boolean {
  return !campaign.hide_member_count && supportersOf(campaign) === 0;
}
