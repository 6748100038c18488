import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Experiment } from '../../api/content';
import { useLikeExperimentMutation, useUnlikeExperimentMutation } from '../../api/experiments';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Button } from '../../ui/Button';
import { HeartFilledIcon, HeartIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazyComponent';
import { askToSignIn, selectSignInPrompt } from '../../ui/signInPrompt';

const LikePendingNotice = lazyComponent(
  () => import(/* webpackChunkName: "like-pending" */ '../../ui/verify/LikePendingNotice'),
);

/** Likes at once. A visitor is asked to sign in, after which the like is sent. */
export function LikeExperiment({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { isOpen } = useSelector(selectSignInPrompt);
  const [like, { data: liked }] = useLikeExperimentMutation();
  const [unlike] = useUnlikeExperimentMutation();
  // Pressed without an account: sent once there is one.
  const isPending = useRef(false);
  const [wasNoticeShown, setNoticeShown] = useState(false);
  const experimentId = experiment.experiment_id;
  const isLiked = experiment.my_relationships.includes('like');

  useEffect(() => {
    if (!isPending.current || isOpen) return;
    isPending.current = false;
    if (isSignedIn && !isLiked) void like({ experimentId });
  }, [isOpen, isSignedIn, isLiked, like, experimentId]);

  const toggle = () => {
    if (isLiked) void unlike({ experimentId });
    else if (isSignedIn) void like({ experimentId });
    else {
      isPending.current = true;
      dispatch(askToSignIn({ reason: 'like' }));
    }
  };
  return (
    <>
      <Button
        variant="outline"
        fullWidth
        aria-pressed={isLiked}
        leftSection={isLiked ? <HeartFilledIcon size={16} /> : <HeartIcon size={16} />}
        onClick={toggle}
      >
        {t('campaignPage.like', { count: experiment.like_count })}
      </Button>
      {liked?.waits_for_email && !wasNoticeShown && (
        <LikePendingNotice onShown={() => setNoticeShown(true)} />
      )}
    </>
  );
}
