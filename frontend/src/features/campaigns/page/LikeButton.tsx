import { Button } from '../../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { content, type Campaign } from '../../../api/content';
import { useLikeCampaignMutation, useUnlikeCampaignMutation } from '../../../api/likes';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { HeartFilledIcon, HeartIcon } from '../../../ui/icons';
import { askToSignIn, dropPendingLike, selectSignInPrompt } from '../../../ui/signInPrompt';
import { lazyComponent } from '../../../ui/lazyComponent';
import classes from './LikeButton.module.css';

const LikePendingNotice = lazyComponent(
  () => import(/* webpackChunkName: "like-pending" */ '../../../ui/verify/LikePendingNotice'),
);

export interface LikeButtonProps {
  campaign: Campaign;
}

/** Likes with an optimistic update. A visitor is asked to sign in, after which the like is sent. */
export function LikeButton({ campaign }: LikeButtonProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [like, { data: liked }] = useLikeCampaignMutation();
  const [unlike] = useUnlikeCampaignMutation();
  const campaignId = campaign.campaign_id;
  const [wasNoticeShown, setNoticeShown] = useState(false);
  const isLiked = campaign.my_relationships.includes('like');

  const prompt = useSelector(selectSignInPrompt);
  const isPending = prompt.pendingLikeCampaignId === campaignId && !prompt.isOpen;
  useEffect(() => {
    if (!isPending) return;
    dispatch(dropPendingLike());
    if (!isSignedIn || isLiked) return;
    // Signing in refetches the campaign, and that response may be older than the like: refetch after it.
    void like({ campaignId }).then(() =>
      dispatch(content.util.invalidateTags([{ type: 'Campaign', id: campaignId }])),
    );
  }, [isPending, isSignedIn, isLiked, campaignId, dispatch, like]);

  const toggle = () => {
    if (!isSignedIn) dispatch(askToSignIn({ reason: 'like', pendingLikeCampaignId: campaignId }));
    else if (isLiked) void unlike({ campaignId });
    else void like({ campaignId });
  };

  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-pressed={isLiked}
        className={isLiked ? classes.liked : undefined}
        leftSection={isLiked ? <HeartFilledIcon size={16} /> : <HeartIcon size={16} />}
        onClick={toggle}
      >
        {t('campaignPage.like', { count: campaign.likes })}
      </Button>
      {liked?.waits_for_email && !wasNoticeShown && (
        <LikePendingNotice onShown={() => setNoticeShown(true)} />
      )}
    </>
  );
}
