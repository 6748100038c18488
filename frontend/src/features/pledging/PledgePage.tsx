import './checkoutStyles';
import { Button } from '../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router-dom';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { isApiError } from '../../api/apiError';
import { content, useCampaignQuery, useCampaignRewardsQuery } from '../../api/content';
import { askMine, useOwnInCampaignQuery } from '../../api/own';
import { readNow } from '../../api/extra';
import { selectIsSignedIn, selectUser } from '../../api/session';
import { paymentUnderWay } from '../../api/underWay';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths } from '../../domain/paths';
import { sortRewards } from '../../domain/rewards';
import { isRecurring, takesPledges } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { idParam, notFound, type PageLoaderArgs } from '../../ui/page';
import { Unread } from '../../ui/Unread';
import { usePageTitle } from '../../ui/usePageTitle';
import { AlreadyHere, hasAlready } from './AlreadyHere';
import { Checkout } from './Checkout';
import { amountParam } from './form/levels';
import classes from './PledgePage.module.css';
import { outcomeIn } from './returning/outcome';
import { useLastDefined } from './useLastDefined';

const calls = content.endpoints;

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  const [campaign] = await Promise.all([
    dispatch(calls.campaign.initiate({ campaignId, language }, { subscribe: false })),
    dispatch(calls.campaignRewards.initiate({ campaignId, language }, { subscribe: false })),
    dispatch(askMine(campaignId)),
  ]);
  if (isApiError(campaign.error) && campaign.error.status === 'not_found') throw notFound();
  const { choice } = params;
  if (choice === undefined || !campaign.data) return;
  if (!isRecurring(campaign.data.campaign.stage)) idParam(choice);
  else if (amountParam(choice) === undefined) throw notFound();
}

/** The checkout, on one page: reward, contact, address, payment method and total. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const params = useParams();
  const campaignId = Number(params.campaignId);
  usePageTitle(t('pledge.title'));

  const isSignedIn = useSelector(selectIsSignedIn);
  const own = useOwnInCampaignQuery({ campaignId }, { skip: !isSignedIn }).currentData;
  const wasCanceled = outcomeIn(useLocation().state) !== undefined;
  const userId = useSelector(selectUser)?.user_id;
  const dispatch = useAppDispatch();
  // Asked when the page is opened; who signs in while filling in the form is not taken out of it. A payment that is not
  // known yet comes first.
  const [isUnderWay] = useState(
    () => paymentUnderWay(campaignId, userId, () => dispatch(readNow())) !== undefined,
  );
  const [isAsked, setAsked] = useState(
    own !== undefined && own.pledges.length + own.subscriptions.length > 0 && !wasCanceled && !isUnderWay,
  );
  const campaignCall = useCampaignQuery({ campaignId, language });
  const rewardsCall = useCampaignRewardsQuery({ campaignId, language });
  const campaign = useLastDefined(campaignCall.data?.campaign);
  const rewards = useLastDefined(rewardsCall.data?.rewards);

  if (!campaign || !rewards || campaign.campaign_id !== campaignId) {
    return (
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{t('pledge.title')}</h1>
        <Unread of={[campaignCall, rewardsCall]} where="PledgePage" lines={12} />
      </div>
    );
  }

  if (!takesPledges(campaign)) {
    const isHeld = campaign.held?.kind === 'on_hold';
    const name = { id: campaign.campaign_id, slug: campaign.slug };
    return (
      <div className={`tk-container ${classes.root}`}>
        <h1 className="tk-form-title">{campaign.title}</h1>
        <EmptyState
          title={t(isHeld ? 'hold.checkoutTitle' : 'pledge.closedTitle')}
          action={
            <Button component={Link} to={paths.campaign(language, name)} variant="light">
              {t('pledge.toCampaign')}
            </Button>
          }
        >
          {isHeld ? t('hold.nothing') : t('pledge.closedText')}
        </EmptyState>
      </div>
    );
  }

  if (isAsked && hasAlready(campaign, own))
    return <AlreadyHere campaign={campaign} own={own} onSecond={() => setAsked(false)} />;

  return (
    <AppMantineProvider>
      <Checkout
        key={campaign.campaign_id}
        campaign={campaign}
        rewards={sortRewards(rewards.filter(({ active }) => active === 1))}
        choice={params.choice === undefined ? undefined : Number(params.choice)}
        reloadRewards={() => rewardsCall.refetch()}
      />
    </AppMantineProvider>
  );
}
