import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { idParam, notFound, type PageLoaderArgs } from '../../../ui/page';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { keptPledge, type KeptPledge } from '../storage';
import { useLastDefined } from '../useLastDefined';
import { PlainThanks } from './PlainThanks';
import { PledgeThanks } from './PledgeThanks';
import classes from './ThanksPage.module.css';

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  const call = content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false });
  const { error } = await dispatch(call);
  if (isApiError(error) && error.status === 'not_found') throw notFound();
}

/** The thanks page: what the pledge did, the receipt, and the next steps. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const campaignId = Number(useParams().campaignId);
  usePageTitle(t('thanks.pageTitle'));
  const kept = useKeptPledge(campaignId);
  const call = useCampaignQuery({ campaignId, language });
  const campaign = useLastDefined(call.data?.campaign);

  if (campaign?.campaign_id === campaignId) {
    return kept ? (
      <PledgeThanks campaign={campaign} kept={kept} />
    ) : (
      <PlainThanks campaign={campaign}>{t('thanks.plainText', { campaign: campaign.title })}</PlainThanks>
    );
  }
  return (
    <div className={`tk-container ${classes.page}`}>
      <h1 className="tk-form-title">{t('thanks.plainTitle')}</h1>
      <Unread of={call} where="ThanksPage" lines={8} />
    </div>
  );
}

/**
 * The last pledge of this tab. Mails that were sent earlier led here with the id of a pledge: where it still is what a link's
 * token is, the page of linked receipts shows it.
 */
function useKeptPledge(campaignId: number): KeptPledge | undefined {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const language = useLanguage();
  const given = query.get('pledge');
  const [kept] = useState(() => keptPledge(campaignId));
  useEffect(() => {
    if (!given) return;
    const hash = `#token=${encodeURIComponent(given.toLowerCase())}`;
    if (given !== kept?.pledgeId) void navigate(paths.supportReceipt(language) + hash, { replace: true });
    else void navigate({ search: '' }, { replace: true, preventScrollReset: true });
  }, [given, kept, navigate, language]);
  return kept;
}
