import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery } from '../../../api/content';
import {
  editing,
  useCampaignAdminQuery,
  useReviewChangesQuery,
  useSeeReviewChangesMutation,
} from '../../../api/editing';
import { readAnew } from '../../../api/readAnew';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { languages } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { ErrorState } from '../../../ui/ErrorState';
import { ModePage } from '../../../ui/modes/ModePage';
import type { Entered } from '../../../ui/modes/useMode';
import { idParam, keepFocus, type PageLoaderArgs } from '../../../ui/page';
import { usePageTitle } from '../../../ui/usePageTitle';
import { SkipLink } from '../../../ui/SkipLink';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { Unread } from '../../../ui/Unread';
import { Changes } from './Changes';
import { ReviewBar } from './ReviewBar';
import classes from './ReviewPage.module.css';
import { ReviewPanel } from './ReviewPanel';
import { ReviewedCampaign } from './ReviewedCampaign';
import { useReviewDraft } from './useReviewDraft';

export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
}

/** The review mode of a campaign's page. */
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
  const pageLanguage = useLanguage();
  const [search, setSearch] = useSearchParams();
  const readIn = languages.find((one) => one === search.get('in')) ?? pageLanguage;
  const campaignId = own.campaign_id;
  const call = useCampaignAdminQuery({ campaignId });
  const { data } = call;
  const read = useCampaignQuery({ campaignId, language: readIn });
  const campaign = read.data?.campaign ?? own;
  const isRead = read.currentData !== undefined;
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
          isRead={isRead}
          onReread={!isRead && read.isError ? () => void read.refetch() : undefined}
          userId={userId}
        />
      ) : (
        <div className={`tk-container ${classes.page}`}>
          <h1>{own.title}</h1>
          <Unread of={call} where="ReviewPage" lines={10} />
          <p className="tk-visually-hidden">{t('review.pageTitle')}</p>
        </div>
      )}
    </>
  );
}

type PartsProps = Omit<Parameters<typeof ReviewedCampaign>[0], 'draft' | 'mayNote'> & {
  userId: number;
};

function ReviewedParts({ userId, ...page }: PartsProps) {
  const { admin, campaign } = page;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { campaign_id: campaignId, review, stage } = admin;
  const dispatch = useAppDispatch();
  const draft = useReviewDraft(userId, campaignId, review.round);
  const changes = useReviewChangesQuery({ campaignId });
  const [see, seeing] = useSeeReviewChangesMutation();
  const [isSeeing, setSeeing] = useState(false);
  const read = changes.currentData;
  const isApproved = stage === campaignStages.preparing;
  const mayDecide = read !== undefined && !read.barred;
  const mayNote = mayDecide && !review.barred && (review.state === 'requested' || isApproved);
  // By whoever has left the page meanwhile nothing is read.
  const reload = async () => {
    dispatch(editing.util.invalidateTags(['Reviewed']));
    await dispatch(readAnew(['Reviewed']));
  };
  const failure = changes.error ?? seeing.error;
  return (
    <div className={`tk-container ${classes.page}`}>
      {/* Every part of the page has a button, which keyboard users would have to pass before the panel. */}
      <SkipLink to="review-panel">{t('review.skip')}</SkipLink>
      <div>
        {failure && changes.isFetching && <LinesSkeleton lines={4} />}
        {failure && !changes.isFetching && (
          <ErrorState onRetry={() => void reload()}>
            {isApiError(failure) && errorText(failure, 'ReviewChanges')}
          </ErrorState>
        )}
        {read && (
          <Changes
            changes={read}
            isSeeing={isSeeing}
            onSee={
              stage > campaignStages.draft && mayDecide
                ? ({ part, digest }) => {
                    setSeeing(true);
                    void see({ campaignId, reviewSeen: { seen: { [part]: digest } } })
                      .then(reload)
                      .finally(() => setSeeing(false));
                  }
                : undefined
            }
          />
        )}
        <ReviewedCampaign {...page} draft={draft} mayNote={mayNote} />
      </div>
      <ReviewPanel
        admin={admin}
        changes={read}
        draft={draft}
        opensAt={campaign.funding_start}
        onReload={reload}
      />
    </div>
  );
}
