import { campaignTag } from './content';
import { generatedEditing } from './editing.generated';

/** The calls that change a campaign's pictures, their descriptions and its video. */
const settings = generatedEditing.enhanceEndpoints({
  addTagTypes: ['Campaign'],
  endpoints: {
    changeCampaignSettings: { invalidatesTags: campaignTag },
    changeCampaignLanguage: { invalidatesTags: campaignTag },
  },
});

export const { useChangeCampaignLanguageMutation, useChangeCampaignSettingsMutation } = settings;
