import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { isApiError, type ApiError } from '../../../api/apiError';
import { editing, type CampaignSettingsChange, type SubscriptionGoalChange } from '../../../api/editing';
import { content } from '../../../api/content';
import type { Language } from '../../../domain/languages';
import type { DraftRow } from './record';
import type { Beginning, Wire, WireReward } from './wire';

export type Result<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

const lost: ApiError = { status: 'invalid_response', http: 0 };

/** The calls that begin a draft and change it, each upon the version that the form knows. */
export function draftCalls(dispatch: Dispatch) {
  const ask = async <Data>(sent: Promise<{ data?: Data; error?: unknown }>): Promise<Result<Data>> => {
    const { data, error } = await sent;
    if (error !== undefined) return { error: isApiError(error) ? error : lost };
    return data === undefined ? { error: lost } : { data };
  };
  const once = { track: false } as const;
  const upon = ({ campaignId, version }: DraftRow) => ({ campaignId, 'If-Match': `"${version}"` });
  const calls = editing.endpoints;

  return {
    begin: ({ call, body }: Beginning, key: string) => {
      const withKey = { 'Idempotency-Key': key };
      return ask(
        call === 'v2'
          ? dispatch(editing.endpoints.createCampaignV2.initiate({ ...withKey, newCampaign: body }, once))
          : dispatch(editing.endpoints.createCampaignV3.initiate({ ...withKey, guidedCampaign: body }, once)),
      );
    },
    settings: (row: DraftRow, campaignSettingsChange: CampaignSettingsChange) =>
      ask(dispatch(calls.changeCampaignSettings.initiate({ ...upon(row), campaignSettingsChange }, once))),
    /** Texts that were written in another language before go along to the new one. */
    texts: (row: DraftRow, { language, ...texts }: Wire['texts'], before: Language) => {
      const campaignLanguageChange = {
        ...(before !== language && { [before]: { title: '', tagline: '' } }),
        [language]: texts,
      };
      return ask(
        dispatch(calls.changeCampaignLanguage.initiate({ ...upon(row), campaignLanguageChange }, once)),
      );
    },
    categories: (row: DraftRow, categories: number[]) =>
      ask(
        dispatch(
          calls.setCampaignCategories.initiate({ ...upon(row), categoriesChange: { categories } }, once),
        ),
      ),
    meta: (row: DraftRow, campaignMetaChange: Wire['meta']) =>
      ask(dispatch(calls.changeCampaignMeta.initiate({ ...upon(row), campaignMetaChange }, once))),
    goals: (row: DraftRow, language: Language, goals: SubscriptionGoalChange[]) =>
      ask(
        dispatch(
          calls.setSubscriptionGoals.initiate(
            { ...upon(row), language, subscriptionGoalsChange: { subscriptions_goals: goals } },
            once,
          ),
        ),
      ),
    /**
     * The id of the draft's reward: the one that it was begun with, or a new one. The form has one reward, so the draft's
     * id makes the key: a repeat after a lost answer, or after a reload, finds the same reward.
     */
    rewardId: async (
      { campaignId }: DraftRow,
      language: Language,
      isThere: boolean,
    ): Promise<Result<number>> => {
      if (isThere) {
        const fresh = { forceRefetch: true, subscribe: false };
        const found = await ask(
          dispatch(content.endpoints.campaignRewards.initiate({ campaignId, language }, fresh)),
        );
        if (!found.data) return found;
        const [first] = found.data.rewards;
        if (first) return { data: first.reward_id };
      }
      const key = { 'Idempotency-Key': `reward-of-draft-${campaignId}` };
      const made = await ask(dispatch(calls.createReward.initiate({ campaignId, ...key }, once)));
      return made.data ? { data: made.data.reward.reward_id } : made;
    },
    reward: async (rewardId: number, language: Language, reward: WireReward): Promise<Result<unknown>> => {
      const { title, description, amount, stock } = reward;
      const rewardLanguageChange = { [language]: { title, description } };
      const named = await ask(
        dispatch(calls.changeRewardLanguage.initiate({ rewardId, rewardLanguageChange }, once)),
      );
      if (!named.data) return named;
      const rewardChange = { amount, stock, active: 1 as const };
      return ask(dispatch(calls.changeReward.initiate({ rewardId, rewardChange }, once)));
    },
  };
}

export type DraftCalls = ReturnType<typeof draftCalls>;
