import type { CampaignRow } from '../../../api/staff';
import { campaignStages } from '../../../domain/stages';

/**
 * What can be done about the hold of a campaign: stop it (act), let it go on (lift), or, of a stopped one, pay its creator or not any more.
 * A draft takes no money, and what is stopped stays so.
 */
export function holdAct({
  stage,
  hold,
  payout,
}: CampaignRow): 'act' | 'lift' | 'pay' | 'payHold' | undefined {
  if (payout) return payout === 'waits' ? 'pay' : 'payHold';
  if (hold === 'on_hold') return 'lift';
  return stage === campaignStages.draft || stage === campaignStages.closed ? undefined : 'act';
}
