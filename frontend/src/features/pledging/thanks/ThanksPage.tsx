import { Button } from '../../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery, type Campaign } from '../../../api/content';
import { useErrorText } from '../../../i18n/errorText';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { idParam, notFound, type PageLoaderArgs } from '../../../ui/page';
import { Picture } from '../../../ui/Picture';
import { ShareButton } from '../../../ui/ShareButton';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { keepPledge, keptPledge, type KeptPledge } from '../storage';
import { useLastDefined } from '../useLastDefined';
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
  const errorText = useErrorText();
  const language = useLanguage();
  const campaignId = Number(useParams().campaignId);
  usePageTitle(t('thanks.pageTitle'));
  const kept = useKeptPledge(campaignId);
  const { data, error, refetch } = useCampaignQuery({ campaignId, language });
  const campaign = useLastDefined(data?.campaign);

  if (campaign?.campaign_id === campaignId) {
    return kept ? <PledgeThanks campaign={campaign} kept={kept} /> : <PlainThanks campaign={campaign} />;
  }
  return (
    <div className={`tk-container ${classes.page}`}>
      <h1 className="tk-form-title">{t('thanks.plainTitle')}</h1>
      {error ? (
        <ErrorState onRetry={() => void refetch()}>
          {isApiError(error) && errorText(error, 'ThanksPage')}
        </ErrorState>
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </div>
  );
}

/** The pledge in the address, which is then removed from it because its id gives access; else the last of this tab. */
function useKeptPledge(campaignId: number): KeptPledge | undefined {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const given = query.get('pledge');
  const [kept] = useState((): KeptPledge | undefined => {
    const before = keptPledge(window.sessionStorage, campaignId);
    if (!given || given === before?.pledgeId) return before;
    const pledge = { pledgeId: given, campaignId };
    keepPledge(window.sessionStorage, pledge);
    return pledge;
  });
  useEffect(() => {
    if (given) void navigate({ search: '' }, { replace: true, preventScrollReset: true });
  }, [given, navigate]);
  return kept;
}

/** For visitors without a pledge in this tab, such as from a bookmark or on another device. */
function PlainThanks({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  return (
    <div className={`tk-container ${classes.page} ${classes.top}`}>
      <div className={classes.words}>
        <h1>{t('thanks.plainTitle')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{t('thanks.plainText', { campaign: campaign.title })}</p>
        <div className={classes.ways}>
          <ShareButton title={campaign.title} path={paths.campaign(language, named)} size="lg">
            {t('thanks.share')}
          </ShareButton>
          <Button component={Link} to={paths.campaign(language, named)} variant="outline" size="lg">
            {t('thanks.back')}
          </Button>
        </div>
      </div>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={16 / 10}
        widths={[480, 960]}
        sizes="(max-width: 56.24em) 100vw, 29.5rem"
        isFirst
      />
    </div>
  );
}
