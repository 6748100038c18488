import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../api/apiError';
import {
  useChangeRewardLanguageMutation,
  useChangeRewardMutation,
  useCreateRewardMutation,
  useLazyRewardAdminQuery,
  type RewardAdmin,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { askToSignIn } from '../../../ui/signInPrompt';
import { isSame } from '../partNames';
import { useEntityEditor, type Answer } from '../useEntityEditor';
import { changesOf, draftOf, faultsOf, isNew, type RewardDraft } from './draft';
import { unsavedReward, type RewardParts } from './unsavedReward';

const sessionEnded: ApiError = { status: 'token_expired', http: 401 };
const somebody = { who: '', at: '' };

/**
 * The state of the reward form. It is saved with a press as one whole, because its price may be paid the moment it is
 * saved. The first save of a new reward creates it on the server, hidden.
 */
export function useRewardEditor(first: RewardAdmin, userId: number) {
  const language = useLanguage();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [createReward] = useCreateRewardMutation();
  const [changeReward] = useChangeRewardMutation();
  const [changeTexts] = useChangeRewardLanguageMutation();
  const [readReward] = useLazyRewardAdminQuery();
  const [kept] = useState(() => unsavedReward(userId, first));
  const state = useState(first);
  const [base] = state;
  const { reward_id: rewardId, campaign_id: campaignId } = base;
  const [isTried, setTried] = useState(false);

  const send = async (form: RewardDraft, ifMatch: string, now: RewardAdmin): Promise<Answer> => {
    const { reward, texts } = changesOf(now, form);
    const call = { rewardId: now.reward_id, 'If-Match': ifMatch };
    // Texts first, because a reward must not become visible without them.
    const named = texts ? await changeTexts({ ...call, rewardLanguageChange: texts }) : undefined;
    if (!reward || named?.error) return named ?? { data: { reward: now } };
    const upon = named?.data ? `"${named.data.reward.version}"` : ifMatch;
    const changed = await changeReward({ ...call, 'If-Match': upon, rewardChange: reward });
    return changed.error ? { data: named?.data, error: changed.error } : changed;
  };
  const editor = useEntityEditor<RewardParts, RewardAdmin>({
    name: `reward-${first.reward_id}`,
    userId,
    draft: kept,
    isManual: true,
    state,
    partsOf: (reward) => ({ form: draftOf(reward, language) }),
    isSame,
    read: async () => {
      if (isNew(base)) return undefined;
      const { data } = await readReward({ rewardId });
      return data && { entity: data.reward };
    },
    whoChanged: () => Promise.resolve(somebody),
    send: (_, form, ifMatch, now) => send(form, ifMatch, now),
    create: async (key) => {
      const created = await createReward({ campaignId, 'Idempotency-Key': key });
      if (!created.data) return created;
      const reward: RewardAdmin = { ...base, ...created.data.reward, active: 0 };
      kept.move(reward);
      return { data: { reward } };
    },
    entityIn: (data) => (data as { reward?: RewardAdmin } | undefined)?.reward,
  });
  const { parts, saver, status, question, drop } = editor;
  const draft = parts.form;
  // What is written twice at once is written upon itself.
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });

  const { count } = changesOf(base, draft);
  const all = faultsOf(draft, base);
  // Errors are shown after the first attempt to save, except for a stock that is too small: that is shown at once.
  const faults = isTried ? all : { stock: all.stock?.key === 'stockReserved' ? all.stock : undefined };

  const write = (next: Partial<RewardDraft>) => {
    const whole = { ...latest.current, ...next };
    latest.current = whole;
    editor.write('form', whole);
    if (changesOf(base, whole).count === 0 && status.is !== 'saving') saver.discard('form');
  };
  /** Saves the form. Resolves to whether that was done. */
  const save = async (): Promise<boolean> => {
    setTried(true);
    if (Object.values(faultsOf(latest.current, base)).some(Boolean)) return false;
    if (isNew(base) || changesOf(base, latest.current).count > 0) saver.change('form', latest.current);
    await saver.flush();
    const after = saver.getStatus().is;
    if (after === 'signedOut') dispatch(askToSignIn());
    const isDone = after === 'saved' || after === 'waiting';
    if (isDone) setTried(false);
    // What was typed during the save stays as an unsaved change.
    if (isDone && !saver.unsaved.form) drop('form');
    return isDone;
  };
  const failure =
    status.is === 'failed' ? status.error : status.is === 'signedOut' ? sessionEnded : undefined;

  return {
    base,
    draft,
    write,
    faults,
    count,
    isSaving: status.is === 'saving',
    /** Why saving failed, in words. */
    failure: failure && errorText(failure, 'RewardEditor'),
    save,
    /** Makes the reward visible, and saves the form. */
    show: () => {
      write({ isHidden: false });
      return save();
    },
    discard: () => (question ? editor.keepTheirs() : drop('form')),
    /** The version that somebody else has saved meanwhile. */
    other: question?.theirs,
    keepMine: editor.keepMine,
    keepTheirs: editor.keepTheirs,
  };
}

/** What useRewardEditor returns. */
export type RewardEditing = ReturnType<typeof useRewardEditor>;
