import { useEffect } from 'react';
import type { Campaign } from '../../../api/content';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { mayEdit } from '../../../domain/access';
import { campaignStages } from '../../../domain/stages';
import { countVisit } from './variation';

/** Counts a visit of a campaign's page once it is shown. Not of a draft, and not by the campaign's team. */
export function useCountedVisit(campaign: Campaign | undefined): void {
  const dispatch = useAppDispatch();
  const isCounted = campaign && campaign.stage !== campaignStages.draft && !mayEdit(campaign.acl);
  const counted = isCounted ? campaign.campaign_id : undefined;
  useEffect(() => {
    const visit = counted === undefined ? undefined : countVisit(counted);
    if (visit) void dispatch(visit);
  }, [dispatch, counted]);
}
