import type { Language } from '../domain/languages';
import { campaignStages } from '../domain/stages';
import {
  content,
  ofCampaign,
  ofCampaignAndReader,
  type BackersAnswer,
  type CampaignPreviewsAnswer,
  type ExperimentPreviewsAnswer,
  type PostPreviewsAnswer,
} from './content';

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
// Long enough to open a campaign from the list and come back to it.
const keepLists = 600;

/** The lists that come chunk by chunk. */
export const lists = content.injectEndpoints({
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
      providesTags: (_answer, _error, { list }) => (list === 'mine' ? ['Reader', 'Own'] : []),
    }),
    backerList: build.infiniteQuery<BackersAnswer, { campaignId: number }, number>({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { campaignId }, pageParam }) => ({
        url: `/campaigns/${campaignId}/backers/`,
        params: pageParam === 0 ? { limit: firstBackers } : { limit: chunk, offset: pageParam },
      }),
      providesTags: ofCampaign,
    }),
    postList: build.infiniteQuery<PostPreviewsAnswer, { campaignId: number; language: Language }, number>({
      infiniteQueryOptions: inChunks,
      query: ({ queryArg: { campaignId, language }, pageParam }) => ({
        url: `/campaigns/${campaignId}/posts/preview/`,
        params:
          pageParam === 0 ? { language, limit: firstPosts } : { language, limit: chunk, offset: pageParam },
      }),
      providesTags: ofCampaignAndReader,
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

export const {
  useBackerListInfiniteQuery,
  useCampaignListInfiniteQuery,
  useExperimentListInfiniteQuery,
  usePostListInfiniteQuery,
} = lists;
