import type { Language } from '../domain/languages';
import { logQuietly } from './apiError';
import {
  generatedContent,
  type BackersAnswer,
  type Campaign,
  type CampaignPreviewsAnswer,
  type ExperimentPreviewsAnswer,
  type PostPreviewsAnswer,
} from './content.generated';
import { languages } from '../domain/languages';
import { campaignStages } from '../domain/stages';

/** The campaign lists that the service knows; each has an order and stages of its own. */
export const campaignLists = {
  open: (language: Language) => `/v6/campaigns/preview/${language}/`,
  all: (language: Language) => `/v2/campaigns/preview/${language}/`,
  'most-funded': (language: Language) => `/campaigns/preview/${language}/most_funded/`,
  preparing: (language: Language) => `/v3/campaigns/preview/preparing/${language}/`,
  subscriptions: (language: Language) => `/campaigns/preview/subscriptions/${language}/`,
  mine: (language: Language) => `/campaigns/mycampaigns/preview/${language}/`,
} as const;

export type CampaignListName = keyof typeof campaignLists;

export interface CampaignListArg {
  language: Language;
  list: CampaignListName;
  stages?: readonly number[];
  categories?: readonly number[];
  tags?: readonly number[];
  excludedTags?: readonly number[];
  keyword?: string;
  sort?: string;
}

const chunk = 24;
// As many as a campaign's page opens with, so that the answers in the page serve.
const firstBackers = 6;
const firstPosts = 3;

const commas = (numbers: readonly number[] | undefined) => (numbers?.length ? numbers.join(',') : undefined);

/** Where the next chunk starts, or undefined when all are there. An empty chunk ends a list whose total has shrunk. */
function nextOffset(last: List, chunks: readonly List[]): number | undefined {
  const shown = chunks.reduce((sum, { previews }) => sum + previews.length, 0);
  return last.previews.length > 0 && shown < last.total ? shown : undefined;
}

interface List {
  previews: readonly unknown[];
  total: number;
}

const inChunks = { initialPageParam: 0, getNextPageParam: nextOffset };
// Long enough for a look at a campaign and back.
const keepLists = 600;

const lists = generatedContent.injectEndpoints({
  endpoints: (build) => ({
    campaignList: build.infiniteQuery<CampaignPreviewsAnswer, CampaignListArg, number>({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { language, list, excludedTags, ...filters }, pageParam }) => ({
        url: campaignLists[list](language),
        params: {
          limit: chunk,
          offset: pageParam,
          // Monthly campaigns cannot be joined yet, so they are not among those that are open.
          stages: commas(filters.stages) ?? (list === 'open' ? campaignStages.funding : undefined),
          categories: commas(filters.categories),
          tags: commas(filters.tags),
          excluded_tags: commas(excludedTags),
          keyword: filters.keyword || undefined,
          sort: filters.sort,
        },
      }),
      keepUnusedDataFor: keepLists,
    }),
    backerList: build.infiniteQuery<BackersAnswer, { campaignId: number }, number>({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { campaignId }, pageParam }) => ({
        url: `/campaigns/${campaignId}/backers/`,
        params: pageParam === 0 ? { limit: firstBackers } : { limit: chunk, offset: pageParam },
      }),
    }),
    postList: build.infiniteQuery<PostPreviewsAnswer, { campaignId: number; language: Language }, number>({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { campaignId, language }, pageParam }) => ({
        url: `/campaigns/${campaignId}/posts/preview/`,
        params:
          pageParam === 0 ? { language, limit: firstPosts } : { language, limit: chunk, offset: pageParam },
      }),
    }),
    experimentList: build.infiniteQuery<
      ExperimentPreviewsAnswer,
      { language: Language; stage?: number },
      number
    >({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { language, stage }, pageParam }) => ({
        url: `/experiments/preview/${language}/`,
        params: { limit: chunk, offset: pageParam, stage },
      }),
      keepUnusedDataFor: keepLists,
    }),
  }),
});

/** What a like changes on the campaign's page. */
export function withLike(campaign: Campaign, isLiked: boolean, likes: number): void {
  campaign.my_relationships = isLiked ? ['like'] : [];
  campaign.likes = Math.max(0, likes);
}

type LikeLifecycle = (
  arg: { campaignId: number },
  api: {
    dispatch: (action: unknown) => unknown;
    queryFulfilled: Promise<{ data: { likes: number; liked: boolean } }>;
  },
) => Promise<void>;

/** Shows the like at once in every language that is there; takes it back when the server refuses. */
function showAtOnce(isLiked: boolean): LikeLifecycle {
  return async ({ campaignId }, { dispatch, queryFulfilled }) => {
    const change = (recipe: (campaign: Campaign) => void) =>
      languages.map(
        (language) =>
          dispatch(
            generatedContent.util.updateQueryData('campaign', { campaignId, language }, ({ campaign }) =>
              recipe(campaign),
            ),
          ) as { undo: () => void },
      );
    const patches = change((campaign) => withLike(campaign, isLiked, campaign.likes + (isLiked ? 1 : -1)));
    try {
      const { data } = await queryFulfilled;
      change((campaign) => withLike(campaign, data.liked, data.likes));
    } catch (failure) {
      for (const patch of patches) patch.undo();
      logQuietly('like', (failure as { error?: unknown }).error);
    }
  };
}

/** What a paid pledge moves: the campaign's sum, its backers and its stock. */
const ofCampaign = (_answer: unknown, _error: unknown, { campaignId }: { campaignId: number }) => [
  { type: 'Campaign' as const, id: campaignId },
];

/** The content service as the screens use it: the generated calls, lists in chunks, likes that show at once. */
export const content = lists.enhanceEndpoints({
  addTagTypes: ['Campaign'],
  endpoints: {
    campaign: { providesTags: ofCampaign },
    campaignRewards: { providesTags: ofCampaign },
    backerList: { providesTags: ofCampaign },
    likeCampaign: { onQueryStarted: showAtOnce(true) },
    unlikeCampaign: { onQueryStarted: showAtOnce(false) },
  },
});

export const {
  useCampaignListInfiniteQuery,
  useBackerListInfiniteQuery,
  usePostListInfiniteQuery,
  useExperimentListInfiniteQuery,
  useLikeCampaignMutation,
  useUnlikeCampaignMutation,
} = content;
