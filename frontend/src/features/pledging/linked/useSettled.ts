import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../../api/extra';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { submissionsOf } from '../submissionsOf';

/** Once it is known what came of a payment, no page of this browser tells it as one under way. */
export function useSettled(campaignId: number, pledgeId: string, isKnown: boolean): void {
  const dispatch = useAppDispatch();
  const who = useSelector(selectUser)?.user_id;
  useEffect(() => {
    if (!isKnown) return;
    const submissions = submissionsOf(
      campaignId,
      () => who,
      () => dispatch(readNow()),
    );
    submissions.settled(pledgeId);
  }, [campaignId, pledgeId, isKnown, who, dispatch]);
}
