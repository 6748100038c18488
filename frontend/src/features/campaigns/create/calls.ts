import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { isApiError, type ApiError } from '../../../api/apiError';
import { editing, type CampaignSettingsChange, type SubscriptionGoalChange } from '../../../api/editing';
import { content } from '../../../api/content';
import type { Language } from '../../../domain/languages';
import type { ServerDraft } from './record';
import type { CreateRequest, Wire, WireReward } from './wire';

/** A response's data or its error. */
export type Result<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

const lost: ApiError = { status: 'invalid_response', http: 0 };

/** The requests that create and change a draft. Changes of the campaign have its current version as If-Match. */
export function draftCalls(dispatch: Dispatch) {
  const ask = async <Data>(sent: Promise<{ data?: Data; error?: unknown }>): Promise<Result<Data>> => {
    const { data, error } = await sent;
    if (error !== undefined) return { error: isApiError(error) ? error : lost };
    return data === undefined ? { error: lost } : { data };
  };
  const once = { track: false } as const;
  const current = ({ campaignId, version }: ServerDraft) => ({ campaignId, 'If-Match': `"${version}"` });
  const calls = editing.endpoints;

  return {
    create: ({ call, body }: CreateRequest, key: string) => {
      const withKey = { 'Idempotency-Key': key };
      return ask(
        call === 'v2'
          ? dispatch(editing.endpoints.createCampaignV2.initiate({ ...withKey, newCampaign: body }, once))
          : dispatch(editing.endpoints.createCampaignV3.initiate({ ...withKey, guidedCampaign: body }, once)),
      );
    },
    settings: (draft: ServerDraft, campaignSettingsChange: CampaignSettingsChange) =>
      ask(
        dispatch(calls.changeCampaignSettings.initiate({ ...current(draft), campaignSettingsChange }, once)),
      ),
    /** When the language has changed, the texts move to the new one: those in the previous language are emptied. */
    texts: (draft: ServerDraft, { language, ...texts }: Wire['texts'], before: Language) => {
      const campaignLanguageChange = {
        ...(before !== language && { [before]: { title: '', tagline: '' } }),
        [language]: texts,
      };
      return ask(
        dispatch(calls.changeCampaignLanguage.initiate({ ...current(draft), campaignLanguageChange }, once)),
      );
    },
    categories: (draft: ServerDraft, categories: number[]) =>
      ask(
        dispatch(
          calls.setCampaignCategories.initiate({ ...current(draft), categoriesChange: { categories } }, once),
        ),
      ),
    meta: (draft: ServerDraft, campaignMetaChange: Wire['meta']) =>
      ask(dispatch(calls.changeCampaignMeta.initiate({ ...current(draft), campaignMetaChange }, once))),
    goals: (draft: ServerDraft, language: Language, goals: SubscriptionGoalChange[]) =>
      ask(
        dispatch(
          calls.setSubscriptionGoals.initiate(
            { ...current(draft), language, subscriptionGoalsChange: { subscriptions_goals: goals } },
            once,
          ),
        ),
      ),
    /**
     * The id of the draft's reward: of the one that was created with the draft, or of a new one. The form has only one
     * reward, so the idempotency key is made from the draft's id: a repeated request, after a lost response or a
     * reload, returns the same reward.
     */
    rewardId: async (
      { campaignId }: ServerDraft,
      language: Language,
      mayExist: boolean,
    ): Promise<Result<number>> => {
      if (mayExist) {
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

/** See draftCalls. */
export type DraftCalls = ReturnType<typeof draftCalls>;
