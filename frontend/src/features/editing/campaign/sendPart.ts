import { editingEndpoints, type Tag } from '../../../api/editing';
import type { useAppDispatch } from '../../../api/useAppDispatch';
import { ofLanguage } from '../partNames';
import type { Answer } from '../useEntityEditor';
import { settingFields, type CampaignParts, type PartName } from './parts';

/** Saves one part of a campaign, by the endpoint that has it. */
export function sendPart<Name extends PartName>(
  dispatch: ReturnType<typeof useAppDispatch>,
  campaignId: number,
  name: Name,
  value: CampaignParts[Name],
  ifMatch: string,
): Promise<Answer> {
  const base = { campaignId, 'If-Match': ifMatch };
  const {
    changeCampaignCustomLanguage,
    changeCampaignLanguage,
    changeCampaignMeta,
    changeCampaignSettings,
    setCampaignCategories,
    setCampaignTags,
  } = editingEndpoints;
  const text = ofLanguage(name);
  if (text?.field === 'match_funding') {
    const customLanguageChange = { match_funding: { value: value as string } };
    return dispatch(
      changeCampaignCustomLanguage.initiate({ ...base, language: text.language, customLanguageChange }),
    );
  }
  if (text) {
    const campaignLanguageChange = { [text.language]: { [text.field]: value } };
    return dispatch(changeCampaignLanguage.initiate({ ...base, campaignLanguageChange }));
  }
  if (name === 'categories') {
    const categoriesChange = { categories: value as number[] };
    return dispatch(setCampaignCategories.initiate({ ...base, categoriesChange }));
  }
  if (name === 'tags') {
    const tagsChange = { tags: (value as Tag[]).map(({ id }) => id) };
    return dispatch(setCampaignTags.initiate({ ...base, tagsChange }));
  }
  return settingFields.some((field) => field === name)
    ? dispatch(changeCampaignSettings.initiate({ ...base, campaignSettingsChange: { [name]: value } }))
    : dispatch(changeCampaignMeta.initiate({ ...base, campaignMetaChange: { [name]: value } }));
}
