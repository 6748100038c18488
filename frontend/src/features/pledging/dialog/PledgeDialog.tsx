import '../checkoutStyles';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { useCampaignQuery, useCampaignRewardsQuery, type Campaign, type Reward } from '../../../api/content';
import { useOwnInCampaignQuery } from '../../../api/own';
import { selectIsSignedIn } from '../../../api/session';
import { paths } from '../../../domain/paths';
import { isRecurring, takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { Dialog } from '../../../ui/Dialog';
import { Unread } from '../../../ui/Unread';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import { hasAlready } from '../AlreadyHere';
import { CheckoutOnce } from '../CheckoutParts';
import { isBusy } from '../flow/machine';
import { useCheckout } from '../useCheckout';
import { useLastDefined } from '../useLastDefined';
import { AskBeforeLoss, useLoss } from './AskBeforeLoss';
import { QuickAside } from './QuickAside';
import { QuickForm } from './QuickForm';

export interface PledgeDialogProps {
  campaignId: number;
  isOpen: boolean;
  /** As the browser's back button. */
  onClose: () => void;
}

/** A pledge without a reward, made over a campaign's page. It is filled in and paid as on the pledge page. */
export default function PledgeDialog({ campaignId, isOpen, onClose }: PledgeDialogProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isShown = useOpenedAfterMount(isOpen);
  useFocusBack(isOpen);
  const isSignedIn = useSelector(selectIsSignedIn);
  const skip = !isOpen;
  const own = useOwnInCampaignQuery({ campaignId }, { skip: skip || !isSignedIn }).currentData;
  // Whoever had pledged before it was opened is asked what they want, on the page.
  const [first, setFirst] = useState<{ isAsked: boolean }>();
  const campaignCall = useCampaignQuery({ campaignId, language }, { skip });
  const rewardsCall = useCampaignRewardsQuery({ campaignId, language }, { skip });
  const campaign = useLastDefined(campaignCall.data?.campaign);
  const rewards = useLastDefined(rewardsCall.data?.rewards);
  if (!isOpen && first) setFirst(undefined);
  if (isOpen && campaign && !first) setFirst({ isAsked: hasAlready(campaign, own) });

  if (!isOpen) return null;
  if (campaign?.campaign_id === campaignId && rewards) {
    if (first?.isAsked || !takesPledges(campaign) || isRecurring(campaign.stage)) {
      return <Navigate to={paths.pledge(language, { id: campaignId, slug: campaign.slug })} replace />;
    }
    return (
      <Quick
        campaign={campaign}
        rewards={rewards.filter(({ active }) => active === 1)}
        reloadRewards={() => rewardsCall.refetch()}
        isShown={isShown}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen={isShown} onClose={onClose} title={t('pledge.quick.title')} isSheet>
      <Unread of={[campaignCall, rewardsCall]} where="PledgeDialog" lines={8} />
    </Dialog>
  );
}

/** Gives the focus back to what had it before: the dialog is taken out of the page as it closes, too early to do so itself. */
function useFocusBack(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    return () => {
      requestAnimationFrame(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

interface QuickProps {
  campaign: Campaign;
  rewards: readonly Reward[];
  reloadRewards: () => Promise<{ isSuccess: boolean }>;
  isShown: boolean;
  onClose: () => void;
}

function Quick({ campaign, rewards, reloadRewards, isShown, onClose }: QuickProps) {
  const { t } = useTranslation();
  const checkout = useCheckout({ campaign, rewards, choice: undefined, isAmountOnly: true, reloadRewards });
  const { state } = checkout.flow;
  // Its answer is shown here. What is not known, and what goes on at a bank, is told on the campaign's page, too.
  const isHeld = isBusy(state) && state.name !== 'unknown' && state.name !== 'redirecting';
  const loss = useLoss(checkout, onClose);
  return (
    <>
      <Dialog
        isOpen={isShown}
        onClose={isHeld ? () => undefined : loss.close}
        isHeld={isHeld || loss.isAsked || checkout.once.asked !== undefined}
        title={t('pledge.quick.title')}
        aside={<QuickAside checkout={checkout} />}
        isAsideText
        isSheet
      >
        <QuickForm checkout={checkout} rewardCount={rewards.length} />
      </Dialog>
      <CheckoutOnce checkout={checkout} />
      <AskBeforeLoss loss={loss} />
    </>
  );
}
