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
import { changesOf, draftOf, faultsOf, isNew, type RewardDraft } from './draft';
import { keptReward } from './kept';

/** Whether the server has looked at a call and said no: nothing came of it, and a repeat would say the same. */
const isRefusal = ({ http }: ApiError) => http >= 400 && http < 500 && http !== 401 && http !== 429;

/**
 * A reward while it is edited: kept on the device with each change, sent when somebody says so. The server has a new one
 * from its first save on.
 */
export function useRewardWriting(first: RewardAdmin, userId: number) {
  const language = useLanguage();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [createReward, creating] = useCreateRewardMutation();
  const [changeReward, changing] = useChangeRewardMutation();
  const [changeTexts, changingTexts] = useChangeRewardLanguageMutation();
  const [readReward] = useLazyRewardAdminQuery();
  const [before] = useState(() => keptReward(userId, first).read());
  const [key, setKey] = useState(() => before?.key ?? crypto.randomUUID());
  const [base, setBase] = useState(first);
  // The version that the form was begun with: an earlier visit's, when the device has kept its form.
  const [version, setVersion] = useState(before?.version ?? first.version);
  const [draft, setDraft] = useState(before?.draft ?? draftOf(first, language));
  // What the form says now; a save that is on its way knows only what it said at the press.
  const latest = useRef(draft);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [other, setOther] = useState<RewardAdmin>();

  const changes = changesOf(base, draft);
  const all = faultsOf(draft, base);
  // Too little stock is said at once: the number is known here, and nobody can save it.
  const faults = isTried ? all : { stock: all.stock?.key === 'stockReserved' ? all.stock : undefined };

  const keep = (reward: RewardAdmin, upon: number, next: RewardDraft) =>
    keptReward(userId, reward).write(
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

  /** Begins a new reward on the server, which has it hidden; undefined when that did not work. */
  const create = async (reward: RewardAdmin): Promise<RewardAdmin | undefined> => {
    const { data, error } = await createReward({ campaignId: reward.campaign_id, 'Idempotency-Key': key });
    if (!data) {
      if (isApiError(error) && isRefusal(error)) setKey(crypto.randomUUID());
      await fail(error, 0);
      return undefined;
    }
    const begun = { ...reward, ...data.reward, active: 0 as const };
    begin(begun, latest.current); // Under its own name on the device from now on.
    keptReward(userId, reward).write();
    return begun;
  };

  /** Saves; gives whether the server has it all. */
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
    // Texts first: a reward is shown only when it has its words.
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
      begin(saved, latest.current); // What is saved is saved, if the other call fails.
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
    // What was typed meanwhile stays, and is saved with the next press.
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
    /** Why saving did not work, in words. */
    failure: failure && failure.http !== 412 ? errorText(failure, 'RewardEditor') : undefined,
    fields: failure?.fields ?? [],
    save: () => save(),
    /** Shows it on the page, saving what is typed along. */
    show: () => {
      write({ isHidden: false });
      return save(latest.current);
    },
    discard: () => begin(base, draftOf(base, language)),
    /** What somebody else has saved meanwhile. */
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

export type RewardWriting = ReturnType<typeof useRewardWriting>;
