import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { notFound, type PageLoaderArgs } from '../../../ui/page';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { keptPledge } from '../storage';
import { useLastDefined } from '../useLastDefined';
import { PlainThanks } from './PlainThanks';
import { SubscriptionThanks } from './SubscriptionThanks';
import classes from './ThanksPage.module.css';

/** The id of a campaign, after a payment on this page, or of a subscription, after a return from its bank. */
function idOf(value: string | undefined): { campaignId: number } | { subscriptionId: string } {
  if (value && /^[1-9]\d{0,14}$/.test(value)) return { campaignId: Number(value) };
  if (value && /^[0-9A-Za-z]{26}$/.test(value)) return { subscriptionId: value };
  throw notFound();
}

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const id = idOf(params.campaignId ?? params.subscription);
  if ('subscriptionId' in id) return;
  const call = content.endpoints.campaign.initiate(
    { campaignId: id.campaignId, language },
    { subscribe: false },
  );
  const { error } = await dispatch(call);
  if (isApiError(error) && error.status === 'not_found') throw notFound();
}

/** The success page of monthly support, at both of its addresses. */
export function Component() {
  const { t } = useTranslation();
  usePageTitle(t('thanks.pageTitle'));
  const params = useParams();
  const id = idOf(params.campaignId ?? params.subscription);
  if ('subscriptionId' in id) return <SubscriptionThanks subscriptionId={id.subscriptionId} />;
  return <OfCampaign key={id.campaignId} campaignId={id.campaignId} />;
}

function OfCampaign({ campaignId }: { campaignId: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const kept = keptPledge(campaignId);
  const call = useCampaignQuery({ campaignId, language }, { skip: kept !== undefined });
  const campaign = useLastDefined(call.data?.campaign);
  if (kept)
    return (
      <SubscriptionThanks subscriptionId={kept.pledgeId} isSent={kept.isSent} lastName={kept.last_name} />
    );
  if (campaign)
    return (
      <PlainThanks campaign={campaign}>
        {t('subscription.thanks.plainText', { campaign: campaign.title })}
      </PlainThanks>
    );
  return (
    <div className={`tk-container ${classes.page}`}>
      <h1 className="tk-form-title">{t('thanks.plainTitle')}</h1>
      <Unread of={call} where="SubscriptionSuccessPage" lines={8} />
    </div>
  );
}
