import { useState } from 'react';
import { useSelector } from 'react-redux';
import { isApiError, type ApiError } from '../../api/apiError';
import { useCampaignQuery, type Campaign } from '../../api/content';
import { selectUser } from '../../api/session';
import { mayEnter, type CampaignMode } from '../../domain/access';
import { useLanguage } from '../../i18n';

/** Whether the reader is in the mode that the address asks for. */
export type ModeState =
  | { is: 'loading' }
  | { is: 'failed'; error?: ApiError; retry: () => void }
  /** Nobody is signed in. */
  | { is: 'signedOut' }
  /** The reader may only view. */
  | { is: 'refused'; campaign: Campaign }
  | ({ is: 'entered' } & Entered);

/** Who works on which campaign. */
export interface Entered {
  /** In the page's language, as its readers see it. */
  campaign: Campaign;
  /** Who works. It stays so when their session ends: what they have typed stays on the screen. */
  userId: number;
}

/** The mode of a campaign's page that the address asks for, and whether the reader may be in it. */
export function useMode(campaignId: number, mode: CampaignMode): ModeState {
  const language = useLanguage();
  const user = useSelector(selectUser);
  const [entered, setEntered] = useState<Entered>();
  const { currentData, error, refetch } = useCampaignQuery({ campaignId, language });
  const campaign = currentData?.campaign;
  const may = campaign && mayEnter(mode, campaign.acl);

  const hasEntered = entered?.campaign.campaign_id === campaignId;
  if (user && may && campaign !== entered?.campaign)
    setEntered({ campaign, userId: hasEntered ? entered.userId : user.user_id });
  // Whoever was in stays in while the session is ended; not when a newer answer takes the right away.
  if (hasEntered && !(user && campaign && !may)) return { is: 'entered', ...entered };
  if (!user) return { is: 'signedOut' };
  if (campaign) return { is: 'refused', campaign };
  if (error)
    return { is: 'failed', error: isApiError(error) ? error : undefined, retry: () => void refetch() };
  return { is: 'loading' };
}
