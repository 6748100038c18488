import { Button } from '../../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { content, type Campaign } from '../../../api/content';
import { useLikeCampaignMutation, useUnlikeCampaignMutation } from '../../../api/likes';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { HeartFilledIcon, HeartIcon } from '../../../ui/icons';
import { askToSignIn, forgetWish, selectSignInPrompt } from '../../../ui/signInPrompt';
import { lazyPart } from '../../../ui/lazyPart';
import classes from './LikeButton.module.css';

const LikeWaits = lazyPart(() => import(/* webpackChunkName: "like-waits" */ '../../auth/verify/LikeWaits'));

export interface LikeButtonProps {
  campaign: Campaign;
}

/** A like shows at once and is taken back when the server refuses. A stranger is asked to sign in, and then likes. */
export function LikeButton({ campaign }: LikeButtonProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [like, { data: liked }] = useLikeCampaignMutation();
  const [unlike] = useUnlikeCampaignMutation();
  const campaignId = campaign.campaign_id;
  const [told, setTold] = useState(false);
  const isLiked = campaign.my_relationships.includes('like');

  const prompt = useSelector(selectSignInPrompt);
  const isWanted = prompt.campaignId === campaignId && !prompt.isOpen;
  useEffect(() => {
    if (!isWanted) return;
    dispatch(forgetWish());
    if (!isSignedIn || isLiked) return;
    // The campaign is being asked for anew for the one who signed in; that answer may be older than the like.
    void like({ campaignId }).then(() =>
      dispatch(content.util.invalidateTags([{ type: 'Campaign', id: campaignId }])),
    );
  }, [isWanted, isSignedIn, isLiked, campaignId, dispatch, like]);

  const toggle = () => {
    if (!isSignedIn) dispatch(askToSignIn({ reason: 'like', campaignId }));
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
        {t('campaign.like', { count: campaign.likes })}
      </Button>
      {liked?.waits_for_email && !told && <LikeWaits onTold={() => setTold(true)} />}
    </>
  );
}
