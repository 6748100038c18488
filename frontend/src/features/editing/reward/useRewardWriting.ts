import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useChangeRewardLanguageMutation,
  useChangeRewardMutation,
  useLazyRewardAdminQuery,
  type RewardAdmin,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { useNotify } from '../../../ui/notify';
import { askToSignIn } from '../../../ui/signInPrompt';
import { keptOnDevice } from '../kept';
import { changesOf, draftOf, faultsOf, type RewardDraft } from './draft';

interface KeptDraft {
  version: number;
  draft: RewardDraft;
}

/** A reward while it is edited: kept on the device with each change, sent when somebody says so. */
export function useRewardWriting(first: RewardAdmin, userId: number) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const [changeReward, changing] = useChangeRewardMutation();
  const [changeTexts, changingTexts] = useChangeRewardLanguageMutation();
  const [readReward] = useLazyRewardAdminQuery();
  const rewardId = first.reward_id;
  const [kept] = useState(() => keptOnDevice<KeptDraft>(userId, `reward-${rewardId}`));
  const [before] = useState(() => kept.read());
  const [base, setBase] = useState(first);
  // The version that the form was begun with: an earlier visit's, when the device has kept its form.
  const [version, setVersion] = useState(before?.version ?? first.version);
  const [draft, setDraft] = useState(before?.draft ?? draftOf(first, language));
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [other, setOther] = useState<RewardAdmin>();

  const changes = changesOf(base, draft);
  const all = faultsOf(draft, base.stock_reserved);
  // Too little stock is said at once: the number is known here, and nobody can save it.
  const faults = isTried ? all : { stock: all.stock?.key === 'stockReserved' ? all.stock : undefined };

  const write = (next: Partial<RewardDraft>) => {
    const whole = { ...draft, ...next };
    setDraft(whole);
    setFailure(undefined);
    kept.write(changesOf(base, whole).count > 0 ? { version, draft: whole } : undefined);
  };
  const begin = (reward: RewardAdmin, next: RewardDraft) => {
    setBase(reward);
    setVersion(reward.version);
    setDraft(next);
    setOther(undefined);
    setFailure(undefined);
    kept.write(changesOf(reward, next).count > 0 ? { version: reward.version, draft: next } : undefined);
  };

  const fail = async (error: unknown) => {
    if (!isApiError(error)) return;
    if (error.http === 401) dispatch(askToSignIn());
    setFailure(error);
    if (error.http !== 412) return;
    const { data } = await readReward({ rewardId });
    if (data) setOther(data.reward);
  };

  /** Saves; gives whether the server has it all. */
  const save = async (upon = version, to = base): Promise<boolean> => {
    setTried(true);
    setFailure(undefined);
    if (Object.values(faultsOf(draft, to.stock_reserved)).some(Boolean)) return false;
    const { reward, texts } = changesOf(to, draft);
    let saved = to;
    let number = upon;
    // Texts first: a reward is shown only when it has its words.
    if (texts) {
      const { data, error } = await changeTexts({
        rewardId,
        'If-Match': `"${number}"`,
        rewardLanguageChange: texts,
      });
      if (!data) {
        await fail(error);
        return false;
      }
      saved = data.reward;
      number = saved.version;
      begin(saved, draft); // What is saved is saved, if the other call fails.
    }
    if (reward) {
      const { data, error } = await changeReward({
        rewardId,
        'If-Match': `"${number}"`,
        rewardChange: reward,
      });
      if (!data) {
        await fail(error);
        return false;
      }
      saved = data.reward;
    }
    begin(saved, draftOf(saved, language));
    setTried(false);
    notify({ tone: 'success', title: t('editing.reward.saved') });
    return true;
  };

  return {
    base,
    draft,
    write,
    faults,
    count: changes.count,
    isSaving: changing.isLoading || changingTexts.isLoading,
    /** Why saving did not work, in words. */
    failure: failure && failure.http !== 412 ? errorText(failure, 'RewardEditor') : undefined,
    fields: failure?.fields ?? [],
    save: () => save(),
    discard: () => begin(base, draftOf(base, language)),
    /** What somebody else has saved meanwhile. */
    other,
    keepMine: () => {
      if (!other) return;
      setBase(other);
      setVersion(other.version);
      setOther(undefined);
      void save(other.version, other);
    },
    keepTheirs: () => other && begin(other, draftOf(other, language)),
  };
}

export type RewardWriting = ReturnType<typeof useRewardWriting>;
