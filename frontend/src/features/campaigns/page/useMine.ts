import { useState } from 'react';
import { useSelector } from 'react-redux';
import { backedFrom, forgetBacked, type Backed } from '../../../api/backed';
import type { Campaign } from '../../../api/content';
import { useOwnInCampaignQuery, type OwnPledgeIn, type OwnSupportIn } from '../../../api/own';
import { selectUser } from '../../../api/session';
import { isRecurring } from '../../../domain/stages';
import { useUnderWay, type Unseen } from '../../../ui/underWay/useUnderWay';

/** What the reader of a campaign's page has in it already. */
export interface Mine {
  /** A payment of which this browser has not seen the answer: until then nothing else is offered. */
  underWay?: Unseen;
  /** Monthly support that goes on; what waits for its person comes first. */
  support?: OwnSupportIn;
  /** Pledges whose money is here or on its way, the latest first; empty for none. */
  pledges: readonly OwnPledgeIn[];
  /** What was paid from this browser while nobody was signed in. */
  guest?: Backed;
  /** Removes that from the browser. */
  forgetGuest: () => void;
}

/** Of a signed-in reader what the server says, of a guest what this browser remembers. */
export function useMine({ campaign_id: campaignId, stage }: Campaign): Mine {
  const user = useSelector(selectUser);
  const { currentData } = useOwnInCampaignQuery({ campaignId }, { skip: !user });
  const [guest, setGuest] = useState(() => backedFrom(campaignId));
  const underWay = useUnderWay(campaignId, isRecurring(stage));
  const supports = currentData?.subscriptions ?? [];
  return {
    // The server may know it already.
    underWay: currentData?.pledges.some(({ pledge_id }) => pledge_id === underWay?.pledgeId)
      ? undefined
      : underWay,
    support: supports.find(isWaiting) ?? supports[0],
    pledges: currentData?.pledges ?? [],
    guest: user ? undefined : guest,
    forgetGuest: () => {
      forgetBacked(campaignId);
      setGuest(undefined);
    },
  };
}

const isWaiting = ({ status, due_on, held_on }: OwnSupportIn) =>
  status === 'past_due' || due_on !== undefined || held_on !== undefined;
