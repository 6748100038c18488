import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../../api/extra';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDay, platformDay } from '../../../i18n/format';
import { notCreated } from '../../../ui/saving/autosaver';
import { useAutosave } from '../../../ui/saving/useAutosave';
import { draftCalls } from './calls';
import { NewCampaign } from './NewCampaign';
import { readOwnRecord, storeRecord, type DraftRecord } from './record';
import type { RuleContext } from './rules';
import { emptyValues } from './values';
import { isSame, nothing } from './wire';

/** The draft of a new campaign: on the device, and on the server once it has a title and somebody is signed in. */
export function useDraft() {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const userId = useSelector(selectUser)?.user_id;
  const [begunBy] = useState(userId);
  const [kept] = useState(() => readOwnRecord(userId));
  const [first] = useState<DraftRecord>(
    () => kept ?? { values: emptyValues(language), part: 'idea', done: [] },
  );
  const context = useMemo<RuleContext>(
    () => ({ today: platformDay(dispatch(readNow())), day: (day) => formatDay(language, day) }),
    [dispatch, language],
  );
  const [campaign] = useState(
    () =>
      new NewCampaign(first, draftCalls(dispatch), () =>
        dispatch((_, getState) => selectUser(getState())?.user_id),
      ),
  );
  const { saver, status } = useAutosave({
    name: 'new-campaign',
    userId: begunBy,
    version: first.saved?.version ?? notCreated,
    known: first.saved?.known ?? nothing,
    isSame,
    draft: campaign.localDraft,
    isWriter: campaign.isWriter,
    send: campaign.send,
    create: campaign.create,
  });
  useEffect(() => {
    campaign.saver = saver;
    campaign.phase = 'shown';
    if (kept) campaign.want(context);
    return () => {
      if (campaign.phase === 'shown') campaign.phase = 'left';
    };
  }, [campaign, saver, kept, context]);
  // Leaving a field by pressing a button is one save, whose failure is not followed by another at once.
  const running = useRef<Promise<boolean>>(undefined);
  const flush = useCallback(
    () =>
      (running.current ??= saver.flush().finally(() => {
        running.current = undefined;
      })),
    [saver],
  );
  // A visitor's draft is sent as soon as they sign in, an earlier visit's at once.
  useEffect(() => {
    if (userId !== undefined) void flush();
  }, [userId, flush]);
  /** Removes the draft from the device and stops saving: its page is being opened, or the user starts over. */
  const discard = useCallback(() => {
    campaign.phase = 'over';
    saver.discard();
    storeRecord();
  }, [campaign, saver]);
  const change = useCallback(
    (typed: Parameters<NewCampaign['change']>[0]) => campaign.change(typed, context),
    [campaign, context],
  );
  return { first, isRestored: kept !== undefined, campaign, status, context, flush, change, discard };
}

/** What useDraft returns. */
export type Draft = ReturnType<typeof useDraft>;
