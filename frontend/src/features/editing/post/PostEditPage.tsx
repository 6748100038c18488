import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { content, useCampaignQuery } from '../../../api/content';
import { usePostAdminQuery, type PostAdminAnswer } from '../../../api/editing';
import { selectEnd, selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { idParam, type PageLoaderArgs } from '../../../ui/page';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { RichText } from '../richText/RichText';
import { useIsStillSaving } from '../../../ui/saving/useAutosave';
import { PostEditor } from './PostEditor';

export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  idParam(params.postId);
  void RichText.preload();
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
}

/** The post as it was loaded and its editor. Kept here, because an expired session clears the query cache; it goes when its person signs out. */
interface Begun {
  answer: PostAdminAnswer;
  userId: number;
}

/** The page on which an update is edited. */
export function Component() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const params = useParams();
  const campaignId = idParam(params.campaignId);
  const postId = idParam(params.postId);
  const user = useSelector(selectUser);
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const [begun, setBegun] = useState<Begun>();
  if (begun && hasSignedOut) setBegun(undefined);
  const isStillSaving = useIsStillSaving(user?.user_id, `post-${postId}`) && !begun;
  const call = usePostAdminQuery(
    { campaignId, postId, here: '' },
    { skip: !user || Boolean(begun) || isStillSaving },
  );
  const { currentData } = call;
  const { data: about, isLoading: isCampaignLoading } = useCampaignQuery({ campaignId, language });
  usePageTitle(t('editing.post.pageTitle'));
  // Begun with the campaign's title, which is in the bar: a title that comes later makes the bar higher.
  if (currentData && user && !begun && !isStillSaving && !isCampaignLoading)
    setBegun({ answer: currentData, userId: user.user_id });

  if (begun?.answer.post.id === postId)
    return (
      <PostEditor
        key={postId}
        first={begun.answer.post}
        writers={begun.answer.writers}
        userId={begun.userId}
        campaign={{ id: campaignId, slug: params.slug, title: about?.campaign.title }}
      />
    );
  return (
    <div className="tk-container">
      <h1 className="tk-visually-hidden">{t('editing.post.pageTitle')}</h1>
      {!user ? (
        <EmptyState
          title={t('editing.signInFirst')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      ) : (
        <Unread of={call} where="PostEditPage" lines={10} />
      )}
    </div>
  );
}
