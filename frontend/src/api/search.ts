import type { Language } from '../domain/languages';
import {
  generatedSearch,
  type SearchAnswer,
  type SearchGroup,
  type SearchGroupName,
} from './search.generated';

export type { SearchAnswer, SearchGroup, SearchGroupName };

/** One search. Without a group a few hits of each are wanted. */
export interface SearchArg {
  language: Language;
  q: string;
  place?: string;
  group?: SearchGroupName;
  /** Not what was likely meant. */
  exact?: boolean;
}

const pageSize = 24;

/** The hits of an answer's group. */
export const hitsOf = ({ campaigns, creators, experiments }: SearchGroup) =>
  campaigns ?? creators ?? experiments ?? [];

export const searchApi = generatedSearch.injectEndpoints({
  endpoints: (build) => ({
    /** A search, of one group page by page. The first page's address is the one that the server embeds. */
    searchPages: build.infiniteQuery<SearchAnswer, SearchArg, number>({
      infiniteQueryOptions: {
        initialPageParam: 0,
        getNextPageParam: (last, pages, _lastParam, _params, { group }: SearchArg) => {
          const shown = pages.reduce((sum, page) => sum + hitsOfGroup(page, group).length, 0);
          const total = last.groups.find(({ name }) => name === group)?.total ?? 0;
          return hitsOfGroup(last, group).length > 0 && shown < total ? shown : undefined;
        },
      },
      query: ({ queryArg: { language, q, place, group, exact }, pageParam }) => ({
        url: `/v6/search/${language}/`,
        params: {
          q,
          place,
          group,
          exact,
          limit: group && pageSize,
          offset: pageParam || undefined,
        },
      }),
      keepUnusedDataFor: 600, // Long enough to open a hit and come back.
    }),
  }),
});

function hitsOfGroup({ groups }: SearchAnswer, group: SearchGroupName | undefined) {
  const found = groups.find(({ name }) => name === group);
  return found ? hitsOf(found) : [];
}

export const { useSearchQuery, useSearchPagesInfiniteQuery } = searchApi;
