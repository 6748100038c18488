import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery } from '../../../api/content';
import { useCampaignAdminQuery } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { ErrorState } from '../../../ui/ErrorState';
import { ModePage } from '../../../ui/modes/ModePage';
import type { Entered } from '../../../ui/modes/useMode';
import { idParam, keepFocus, type PageLoaderArgs } from '../../../ui/page';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { ReviewBar } from './ReviewBar';
import classes from './ReviewPage.module.css';
import { ReviewPanel } from './ReviewPanel';
import { ReviewedCampaign } from './ReviewedCampaign';
import { useReviewDraft } from './useReviewDraft';

export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
}

/** A campaign's page while staff review it. */
export function Component() {
  const { t } = useTranslation();
  const campaignId = idParam(useParams().campaignId);
  usePageTitle(t('review.pageTitle'));
  return (
    <ModePage campaignId={campaignId} mode="review" title={t('review.pageTitle')}>
      {(entered) => <Reviewed key={campaignId} {...entered} />}
    </ModePage>
  );
}

function Reviewed({ campaign: own, userId }: Entered) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const pageLanguage = useLanguage();
  const [search, setSearch] = useSearchParams();
  const readIn = languages.find((one) => one === search.get('in')) ?? pageLanguage;
  const campaignId = own.campaign_id;
  const { data, error, refetch } = useCampaignAdminQuery({ campaignId });
  const { data: read } = useCampaignQuery({ campaignId, language: readIn });
  const campaign = read?.campaign ?? own;
  const admin = data?.campaign;

  return (
    <>
      <ReviewBar
        campaign={own}
        admin={admin}
        readIn={readIn}
        onReadIn={(language) =>
          setSearch(language === pageLanguage ? {} : { in: language }, {
            replace: true,
            state: keepFocus,
            preventScrollReset: true,
          })
        }
      />
      {admin ? (
        <ReviewedParts
          key={admin.review.round}
          admin={admin}
          campaign={campaign}
          readIn={readIn}
          userId={userId}
          onReload={() => void refetch()}
        />
      ) : (
        <div className={`tk-container ${classes.page}`}>
          <h1>{own.title}</h1>
          {error ? (
            <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'ReviewPage')}</ErrorState>
          ) : (
            <LinesSkeleton lines={10} />
          )}
          <p className="tk-visually-hidden">{t('review.pageTitle')}</p>
        </div>
      )}
    </>
  );
}

type PartsProps = Omit<Parameters<typeof ReviewedCampaign>[0], 'draft' | 'mayNote'> & {
  userId: number;
  onReload: () => void;
};

function ReviewedParts({ admin, campaign, readIn, userId, onReload }: PartsProps) {
  const { t } = useTranslation();
  const draft = useReviewDraft(userId, admin.campaign_id, admin.review.round);
  const isOwn = admin.team.some(({ user_id }) => user_id === userId);
  const mayNote = admin.review.state === 'requested' && !isOwn;
  return (
    <div className={`tk-container ${classes.page}`}>
      {/* Every part of the page has a button of its own before the panel. */}
      <a href="#review-panel" className={classes.skip}>
        {t('review.skip')}
      </a>
      <ReviewedCampaign admin={admin} campaign={campaign} readIn={readIn} draft={draft} mayNote={mayNote} />
      <ReviewPanel
        admin={admin}
        draft={draft}
        opensAt={campaign.funding_start}
        isOwn={isOwn}
        onReload={onReload}
      />
    </div>
  );
}
