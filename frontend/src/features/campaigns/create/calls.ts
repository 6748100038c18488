import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { ApiError } from '../../../api/apiError';
import { editing } from '../../../api/editing';
import { content } from '../../../api/content';
import type { Language } from '../../../domain/languages';
import { failureOf } from '../../../ui/saving/failures';
import type { ServerDraft } from './record';
import { differences, type CreateRequest, type Wire } from './wire';

/** A response's data or its error. */
type Result<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** A draft, and its version for If-Match. */
type Current = ServerDraft & { version: number };

/** What a change of the draft answers. */
type Changed = Pick<Current, 'version'> & { slug?: string; rewardId?: number };

/** The requests that create a draft and change its parts; `known` is what the server has. */
export function draftCalls(dispatch: Dispatch) {
  const ask = async <Data>(sent: Promise<{ data?: Data; error?: unknown }>): Promise<Result<Data>> => {
    const { data, error } = await sent;
    return data === undefined ? { error: failureOf(error) } : { data };
  };
  const once = { track: false } as const;
  const current = ({ campaignId, version }: Current) => ({ campaignId, 'If-Match': `"${version}"` });
  const calls = editing.endpoints;

  /**
   * The id of the draft's reward: of the one that was created with the draft, or of a new one. The form has only one
   * reward, so the idempotency key is made from the draft's id: a repeated request, after a lost response or a
   * reload, returns the same reward.
   */
  const rewardIdOf = async (
    { campaignId, rewardId }: Current,
    language: Language,
    mayExist: boolean,
  ): Promise<Result<number>> => {
    if (rewardId !== undefined) return { data: rewardId };
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
  };

  const parts: {
    [Name in keyof Wire]: (draft: Current, value: Wire[Name], known: Wire) => Promise<Result<Changed>>;
  } = {
    settings: (draft, value, known) => {
      const campaignSettingsChange = differences(value, known.settings);
      return ask(
        dispatch(calls.changeCampaignSettings.initiate({ ...current(draft), campaignSettingsChange }, once)),
      );
    },
    /** When the language has changed, the texts move to the new one: those in the previous language are emptied. */
    texts: (draft, { language, ...texts }, { texts: { language: before } }) => {
      const campaignLanguageChange = {
        ...(before !== language && { [before]: { title: '', tagline: '' } }),
        [language]: texts,
      };
      return ask(
        dispatch(calls.changeCampaignLanguage.initiate({ ...current(draft), campaignLanguageChange }, once)),
      );
    },
    categories: (draft, categories) =>
      ask(
        dispatch(
          calls.setCampaignCategories.initiate({ ...current(draft), categoriesChange: { categories } }, once),
        ),
      ),
    meta: (draft, campaignMetaChange) =>
      ask(dispatch(calls.changeCampaignMeta.initiate({ ...current(draft), campaignMetaChange }, once))),
    goals: (draft, { language, list }) => {
      const subscriptionGoalsChange = { subscriptions_goals: list };
      return ask(
        dispatch(
          calls.setSubscriptionGoals.initiate({ ...current(draft), language, subscriptionGoalsChange }, once),
        ),
      );
    },
    /** A reward has no part in the campaign's version. */
    reward: async (draft, { language, title, description, ...rest }, known) => {
      const { data: rewardId, error } = await rewardIdOf(draft, language, known.reward.title !== '');
      if (error) return { error };
      const rewardLanguageChange = { [language]: { title, description } };
      let changed: Result<unknown> = await ask(
        dispatch(calls.changeRewardLanguage.initiate({ rewardId, rewardLanguageChange }, once)),
      );
      const rewardChange = { ...rest, active: 1 as const };
      if (changed.data)
        changed = await ask(dispatch(calls.changeReward.initiate({ rewardId, rewardChange }, once)));
      if (!changed.error) return { data: { version: draft.version, rewardId } };
      // The endpoint's paths, such as title, would mean the campaign's fields in the form.
      const fields = changed.error.fields?.map((fault) => ({ ...fault, path: `rewards[0].${fault.path}` }));
      return { error: { ...changed.error, fields } };
    },
  };
  return {
    parts,
    create: ({ call, body }: CreateRequest, key: string) => {
      const withKey = { 'Idempotency-Key': key };
      return ask(
        call === 'v2'
          ? dispatch(calls.createCampaignV2.initiate({ ...withKey, newCampaign: body }, once))
          : dispatch(calls.createCampaignV3.initiate({ ...withKey, guidedCampaign: body }, once)),
      );
    },
  };
}

/** See draftCalls. */
export type DraftCalls = ReturnType<typeof draftCalls>;
