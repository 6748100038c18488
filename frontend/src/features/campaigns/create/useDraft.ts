import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../../api/extra';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDay, platformDay } from '../../../i18n/format';
import { draftCalls } from './calls';
import { DraftSaver, type DraftStatus } from './DraftSaver';
import { readOwnRecord, readRecord, storeRecord, type DraftRecord } from './record';
import type { RuleContext } from './rules';
import { emptyValues } from './values';
import { wireOf } from './wire';

/** See useDraft. */
export interface Draft {
  /** The draft as an earlier visit left it, or an empty one. */
  first: DraftRecord;
  /** Whether an earlier visit left a draft. */
  isRestored: boolean;
  saver: DraftSaver;
  status: DraftStatus;
  context: RuleContext;
  /** Removes the draft from the device and stops saving: its page is being opened, or the user starts over. */
  discard: () => void;
}

/** The draft of a new campaign: on the device, and on the server once it has a title and somebody is signed in. */
export function useDraft(): Draft {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const userId = useSelector(selectUser)?.user_id;
  const [kept] = useState(() => readOwnRecord(userId));
  const [first] = useState<DraftRecord>(
    () => kept ?? { values: emptyValues(language), part: 'idea', done: [] },
  );
  const context = useMemo<RuleContext>(
    () => ({ today: platformDay(dispatch(readNow())), day: (day) => formatDay(language, day) }),
    [dispatch, language],
  );
  const [saver] = useState(
    () =>
      new DraftSaver({
        record: first,
        store: storeRecord,
        isStored: () => readRecord() !== undefined,
        wireOf: ({ values }) => wireOf(values, context),
        calls: draftCalls(dispatch),
        now: () => dispatch(readNow()),
        newKey: () => crypto.randomUUID(),
      }),
  );
  useEffect(() => saver.setUser(userId), [saver, userId]);
  useEffect(() => () => saver.leave(), [saver]);
  const status = useSyncExternalStore(saver.subscribe, saver.getStatus);
  const discard = useCallback(() => {
    saver.stop();
    storeRecord();
  }, [saver]);
  return {
    first,
    isRestored: kept !== undefined,
    saver,
    status,
    context,
    discard,
  };
}
