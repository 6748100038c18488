import { useRef, useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
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
import { isRefusal } from '../failures';
import { changesOf, draftOf, faultsOf, isNew, type RewardDraft } from './draft';
import { localRewardDraft } from './localRewardDraft';

/**
 * The state of the reward form: kept on the device with each change, and saved with a button. The first save of a new
 * reward creates it on the server.
 */
export function useRewardEditor(first: RewardAdmin, userId: number) {
  const language = useLanguage();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [createReward, creating] = useCreateRewardMutation();
  const [changeReward, changing] = useChangeRewardMutation();
  const [changeTexts, changingTexts] = useChangeRewardLanguageMutation();
  const [readReward] = useLazyRewardAdminQuery();
  const [before] = useState(() => localRewardDraft(userId, first).read());
  const [key, setKey] = useState(() => before?.key ?? crypto.randomUUID());
  const [base, setBase] = useState(first);
  // The version that the form is based on; of a form from an earlier visit that may be an old one.
  const [version, setVersion] = useState(before?.version ?? first.version);
  const [draft, setDraft] = useState(before?.draft ?? draftOf(first, language));
  // The current form: a running save has only the one of the press.
  const latest = useRef(draft);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [other, setOther] = useState<RewardAdmin>();

  const changes = changesOf(base, draft);
  const all = faultsOf(draft, base);
  // Errors are shown after the first attempt to save, except for a stock that is too small: that is shown at once.
  const faults = isTried ? all : { stock: all.stock?.key === 'stockReserved' ? all.stock : undefined };

  const keep = (reward: RewardAdmin, upon: number, next: RewardDraft) =>
    localRewardDraft(userId, reward).write(
      changesOf(reward, next).count > 0
        ? { version: upon, draft: next, ...(isNew(reward) && { key }) }
        : undefined,
    );
  const write = (next: Partial<RewardDraft>) => {
    const whole = { ...latest.current, ...next };
    latest.current = whole;
    setDraft(whole);
    setFailure(undefined);
    keep(base, version, whole);
  };
  const begin = (reward: RewardAdmin, next: RewardDraft) => {
    setBase(reward);
    setVersion(reward.version);
    latest.current = next;
    setDraft(next);
    setOther(undefined);
    setFailure(undefined);
    keep(reward, reward.version, next);
  };

  const fail = async (error: unknown, rewardId: number) => {
    if (!isApiError(error)) return;
    if (error.http === 401) dispatch(askToSignIn());
    setFailure(error);
    if (error.http !== 412) return;
    const { data } = await readReward({ rewardId });
    if (data) setOther(data.reward);
  };

  /** Creates a new reward on the server, hidden at first. Resolves to undefined if that failed. */
  const create = async (reward: RewardAdmin): Promise<RewardAdmin | undefined> => {
    const { data, error } = await createReward({ campaignId: reward.campaign_id, 'Idempotency-Key': key });
    if (!data) {
      if (isApiError(error) && isRefusal(error)) setKey(crypto.randomUUID());
      await fail(error, 0);
      return undefined;
    }
    const begun = { ...reward, ...data.reward, active: 0 as const };
    begin(begun, latest.current); // Kept on the device under its id from now on.
    localRewardDraft(userId, reward).write();
    return begun;
  };

  /** Saves the form. Resolves to whether everything is saved. */
  const save = async (next = draft, upon = version, to = base): Promise<boolean> => {
    setTried(true);
    setFailure(undefined);
    if (Object.values(faultsOf(next, to)).some(Boolean)) return false;
    const begun = isNew(to) ? await create(to) : to;
    if (!begun) return false;
    const rewardId = begun.reward_id;
    const { reward, texts } = changesOf(begun, next);
    let saved = begun;
    let number = begun === to ? upon : begun.version;
    // Texts first, because a reward must not become visible without them.
    if (texts) {
      const { data, error } = await changeTexts({
        rewardId,
        'If-Match': `"${number}"`,
        rewardLanguageChange: texts,
      });
      if (!data) {
        await fail(error, rewardId);
        return false;
      }
      saved = data.reward;
      number = saved.version;
      begin(saved, latest.current); // Stays saved even if the other request fails.
    }
    if (reward) {
      const { data, error } = await changeReward({
        rewardId,
        'If-Match': `"${number}"`,
        rewardChange: reward,
      });
      if (!data) {
        await fail(error, rewardId);
        return false;
      }
      saved = data.reward;
    }
    // What was typed during the save stays as an unsaved change.
    begin(saved, latest.current === next ? draftOf(saved, language) : latest.current);
    setTried(false);
    return true;
  };

  return {
    base,
    draft,
    write,
    faults,
    count: changes.count,
    isSaving: creating.isLoading || changing.isLoading || changingTexts.isLoading,
    /** Why saving failed, in words. */
    failure: failure && failure.http !== 412 ? errorText(failure, 'RewardEditor') : undefined,
    save: () => save(),
    /** Makes the reward visible, and saves the form. */
    show: () => {
      write({ isHidden: false });
      return save(latest.current);
    },
    discard: () => begin(base, draftOf(base, language)),
    /** The version that somebody else has saved meanwhile. */
    other,
    keepMine: () => {
      if (!other) return;
      setBase(other);
      setVersion(other.version);
      setOther(undefined);
      void save(draft, other.version, other);
    },
    keepTheirs: () => other && begin(other, draftOf(other, language)),
  };
}

/** What useRewardEditor returns. */
export type RewardEditing = ReturnType<typeof useRewardEditor>;
