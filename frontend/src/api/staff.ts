import { campaignTag, content } from './content';
import { generatedStaff } from './staff.generated';

export type * from './staff.generated';

const labels = { invalidatesTags: ['Labels' as const] };
/** Admins always read what is now. */
const now = { keepUnusedDataFor: 0 };

/** What admins do about campaigns, their categories and tags, and the home page. */
const staff = generatedStaff.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own', 'Labels', 'FrontPage', 'Campaign'],
  endpoints: {
    campaignTable: {
      providesTags: (answer) => [
        'Reader',
        'Own',
        'Campaign',
        ...(answer?.campaigns ?? []).map(({ campaign_id: id }) => ({ type: 'Campaign' as const, id })),
      ],
      ...now,
    },
    categoriesAdmin: { providesTags: ['Reader', 'Own', 'Labels'], ...now },
    createCategory: labels,
    changeCategory: labels,
    deleteCategory: labels,
    orderCategories: labels,
    tagsAdmin: { providesTags: ['Reader', 'Own', 'Labels'], ...now },
    createTag: labels,
    changeTag: labels,
    retireTag: labels,
    frontPage: { providesTags: ['Reader', 'Own', 'FrontPage'], ...now },
    holdCampaign: { invalidatesTags: campaignTag },
    liftCampaignHold: { invalidatesTags: campaignTag },
    payOutStoppedCampaign: { invalidatesTags: campaignTag },
    setFrontPage: { invalidatesTags: ['FrontPage'] },
  },
});

// Whoever has changed a name or the home page sees it there. Here, because only admins' pages need it.
content.enhanceEndpoints({
  addTagTypes: ['Labels', 'FrontPage'],
  endpoints: {
    categories: { providesTags: ['Labels'] },
    campaignTags: { providesTags: ['Labels'] },
    campaignPreviews: { providesTags: ['FrontPage'] },
  },
});

export const {
  useCampaignTableQuery,
  useCategoriesAdminQuery,
  useChangeCategoryMutation,
  useChangeTagMutation,
  useCreateCategoryMutation,
  useCreateTagMutation,
  useDeleteCategoryMutation,
  useFrontPageQuery,
  useHoldCampaignMutation,
  useLiftCampaignHoldMutation,
  useOrderCategoriesMutation,
  usePayOutStoppedCampaignMutation,
  useRetireTagMutation,
  useSetFrontPageMutation,
  useTagsAdminQuery,
} = staff;
