import type { OwnPledge } from '../../api/own';
import { campaignStages } from '../../domain/stages';

const reasons = ['claim', 'by_creator'];

/** Whether there may be a claim about a pledge, or one may be made: its campaign has ended, and money of it was kept. */
export const mayHaveClaim = ({ campaign, status, refund_reason: reason = '' }: OwnPledge): boolean =>
  (campaign.stage === campaignStages.succeeded || campaign.stage === campaignStages.notReached) &&
  (status === 'paid' || status === 'partly_refunded' || status === 'disputed' || reasons.includes(reason));
