import { useCallback } from 'react';
import { isApiError } from '../../../api/apiError';
import { editingEndpoints, type Tag } from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { Sent } from '../autosaver';
import { ofLanguage, settingFields, type CampaignParts, type PartName } from './parts';

/** Returns the function that saves one part of a campaign, by the endpoint that has it. */
export function useSendPart(campaignId: number) {
  const dispatch = useAppDispatch();
  return useCallback(
    async <Name extends PartName>(name: Name, value: CampaignParts[Name], version: number): Promise<Sent> => {
      const base = { campaignId, 'If-Match': `"${version}"` };
      const call = () => {
        const text = ofLanguage(name);
        if (text?.field === 'match_funding')
          return dispatch(
            editingEndpoints.changeCampaignCustomLanguage.initiate({
              ...base,
              language: text.language,
              customLanguageChange: { match_funding: { value: value as string } },
            }),
          );
        if (text)
          return dispatch(
            editingEndpoints.changeCampaignLanguage.initiate({
              ...base,
              campaignLanguageChange: { [text.language]: { [text.field]: value } },
            }),
          );
        if (name === 'categories')
          return dispatch(
            editingEndpoints.setCampaignCategories.initiate({
              ...base,
              categoriesChange: { categories: value as number[] },
            }),
          );
        if (name === 'tags')
          return dispatch(
            editingEndpoints.setCampaignTags.initiate({
              ...base,
              tagsChange: { tags: (value as Tag[]).map(({ id }) => id) },
            }),
          );
        return settingFields.some((field) => field === name)
          ? dispatch(
              editingEndpoints.changeCampaignSettings.initiate({
                ...base,
                campaignSettingsChange: { [name]: value },
              }),
            )
          : dispatch(
              editingEndpoints.changeCampaignMeta.initiate({
                ...base,
                campaignMetaChange: { [name]: value },
              }),
            );
      };
      const { data, error } = await call();
      if (data) return { version: data.version };
      return { error: isApiError(error) ? error : { status: 'invalid_response', http: 0 } };
    },
    [dispatch, campaignId],
  );
}
