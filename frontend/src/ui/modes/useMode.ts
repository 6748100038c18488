import { useState } from 'react';
import { useSelector } from 'react-redux';
import { isApiError, type ApiError } from '../../api/apiError';
import { useCampaignQuery, type Campaign } from '../../api/content';
import { selectEnd, selectUser } from '../../api/session';
import { mayEnter, type CampaignMode } from '../../domain/access';
import { useLanguage } from '../../i18n';

/** The state of the mode that the address asks for. */
export type ModeState =
  | { is: 'loading' }
  | { is: 'failed'; error?: ApiError; retry: () => void }
  /** Nobody is signed in. */
  | { is: 'signedOut' }
  /** The reader may only view. */
  | { is: 'refused'; campaign: Campaign }
  | ({ is: 'entered' } & Entered);

/** The campaign of an entered mode, and the user who entered it. */
export interface Entered {
  /** In the page's language. */
  campaign: Campaign;
  /** Kept when the session expires, so that what was typed stays on the screen; not when its person signs out. */
  userId: number;
}

/** Loads the campaign and decides whether the signed-in user may open this mode of its page. */
export function useMode(campaignId: number, mode: CampaignMode): ModeState {
  const language = useLanguage();
  const user = useSelector(selectUser);
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const [entered, setEntered] = useState<Entered>();
  if (entered && hasSignedOut) setEntered(undefined);
  const { currentData, error, isFetching, refetch } = useCampaignQuery({ campaignId, language });
  const campaign = currentData?.campaign;
  const may = campaign && mayEnter(mode, campaign.acl);

  const hasEntered = entered?.campaign.campaign_id === campaignId;
  if (user && may && campaign !== entered?.campaign)
    setEntered({ campaign, userId: hasEntered ? entered.userId : user.user_id });
  // Who has entered stays when the session expires, but not when a newer response no longer grants the right.
  if (hasEntered && !(user && campaign && !may)) return { is: 'entered', ...entered };
  if (!user) return { is: 'signedOut' };
  if (campaign) return { is: 'refused', campaign };
  if (error && !isFetching)
    return { is: 'failed', error: isApiError(error) ? error : undefined, retry: () => void refetch() };
  return { is: 'loading' };
}
