import type { Language } from '../domain/languages';
import { campaignStages } from '../domain/stages';
import {
  content,
  campaignTag,
  campaignAndReaderTags,
  type CampaignPreviewsAnswer,
  type ExperimentPreviewsAnswer,
} from './content';
import type { BackersAnswer, PostPreviewsAnswer } from './editing';

/** The paths of the service's campaign lists. Each list has its own default order and stages. */
export const campaignLists = {
  open: (language: Language) => `/v6/campaigns/preview/${language}/`,
  all: (language: Language) => `/v2/campaigns/preview/${language}/`,
  'most-funded': (language: Language) => `/campaigns/preview/${language}/most_funded/`,
  preparing: (language: Language) => `/v3/campaigns/preview/preparing/${language}/`,
  subscriptions: (language: Language) => `/campaigns/preview/subscriptions/${language}/`,
  mine: (language: Language) => `/campaigns/mycampaigns/preview/${language}/`,
} as const;

/** The name of a list in the page's address. */
export type CampaignListName = keyof typeof campaignLists;

const { preparing, funding, succeeded, notReached, closed, recurring } = campaignStages;

/** The stages of each list, whose categories and tags are counted; one's own campaigns are few and offer none. */
export const listedStages: Record<CampaignListName, readonly number[]> = {
  open: [funding, recurring],
  all: [funding, recurring, succeeded, notReached, closed],
  'most-funded': [funding],
  preparing: [preparing],
  subscriptions: [recurring],
  mine: [],
};

/** A list and its filters. Omitted filters do not restrict the list. */
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

export interface ExperimentListArg {
  language: Language;
  stage?: number;
  keyword?: string;
  /** By stage without it. */
  sort?: string;
}

const pageSize = 24;
// The same first pages as the server embeds in the campaign page, so that they are not requested again.
const firstBackers = 6;
const firstPosts = 3;

const commas = (numbers: readonly number[] | undefined) => (numbers?.length ? numbers.join(',') : undefined);

/** The offset of the next page, or undefined after the last. An empty page ends a list whose total has shrunk. */
function nextOffset(last: List, pages: readonly List[]): number | undefined {
  const shown = pages.reduce((sum, { previews }) => sum + previews.length, 0);
  return last.previews.length > 0 && shown < last.total ? shown : undefined;
}

interface List {
  previews: readonly unknown[];
  total: number;
}

const byOffset = { initialPageParam: 0, getNextPageParam: nextOffset };
// In seconds: long enough to open a campaign from the list and come back.
const keepLists = 600;

/** The lists that are loaded page by page. */
export const lists = content.injectEndpoints({
  endpoints: (build) => ({
    campaignList: build.infiniteQuery<CampaignPreviewsAnswer, CampaignListArg, number>({
      infiniteQueryOptions: byOffset,
      query: ({ queryArg: { language, list, excludedTags, ...filters }, pageParam }) => ({
        url: campaignLists[list](language),
        params: {
          limit: pageSize,
          offset: pageParam,
          stages: commas(filters.stages ?? (list === 'all' ? listedStages.all : undefined)),
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
      infiniteQueryOptions: byOffset,
      query: ({ queryArg: { campaignId }, pageParam }) => ({
        url: `/campaigns/${campaignId}/backers/`,
        params: pageParam === 0 ? { limit: firstBackers } : { limit: pageSize, offset: pageParam },
      }),
      providesTags: campaignTag,
    }),
    postList: build.infiniteQuery<PostPreviewsAnswer, { campaignId: number; language: Language }, number>({
      infiniteQueryOptions: byOffset,
      query: ({ queryArg: { campaignId, language }, pageParam }) => ({
        url: `/campaigns/${campaignId}/posts/preview/`,
        params:
          pageParam === 0
            ? { language, limit: firstPosts }
            : { language, limit: pageSize, offset: pageParam },
      }),
      providesTags: campaignAndReaderTags,
    }),
    experimentList: build.infiniteQuery<ExperimentPreviewsAnswer, ExperimentListArg, number>({
      infiniteQueryOptions: byOffset,
      query: ({ queryArg: { language, ...filters }, pageParam }) => ({
        url: `/experiments/preview/${language}/`,
        params: { limit: pageSize, offset: pageParam, show_in: 'index', ...filters },
      }),
      keepUnusedDataFor: keepLists,
      providesTags: ['Experiments'],
    }),
  }),
});

export const {
  useBackerListInfiniteQuery,
  useCampaignListInfiniteQuery,
  useExperimentListInfiniteQuery,
  usePostListInfiniteQuery,
} = lists;
