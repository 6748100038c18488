import { campaignLists, listedStages, type CampaignListArg, type CampaignListName } from '../../../api/lists';
import type { Language } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';

/** The sort orders of the API that the page offers. */
export const sorts = ['newest', 'ending', 'most_funded', 'popular'] as const;
/** One of sorts. */
export type Sort = (typeof sorts)[number];

/** The state of the campaigns page, all of which is in the address. */
export interface Filters {
  list: CampaignListName;
  stages: readonly number[];
  categories: readonly number[];
  tags: readonly number[];
  excludedTags: readonly number[];
  keyword: string;
  /** Undefined: the list's default order. */
  sort?: Sort;
}

/** Changes the filters as they are asked for by now: what is shown may still wait for an earlier change. */
export type ChangeFilters = (change: (now: Filters) => Filters) => void;

/** The open campaigns, without any filter. */
export const noFilters: Filters = {
  list: 'open',
  stages: [],
  categories: [],
  tags: [],
  excludedTags: [],
  keyword: '',
};

/** In characters; the service's limit. */
const maxKeywordLength = 100;

/** Reads the address. Invalid values are ignored. */
export function readFilters(search: URLSearchParams): Filters {
  const list = search.get('list');
  const sort = search.get('sort');
  return {
    list: list && Object.hasOwn(campaignLists, list) ? (list as CampaignListName) : 'open',
    stages: numbers(search.get('stages')).filter((stage) => stage <= campaignStages.recurring),
    categories: numbers(search.get('categories')),
    tags: numbers(search.get('tags')),
    excludedTags: numbers(search.get('excluded_tags')),
    keyword: (search.get('keyword') ?? '').trim().slice(0, maxKeywordLength),
    sort: sorts.find((one) => one === sort),
  };
}

/** The parameters for the address. Those that are not set are empty. */
export function writeFilters(filters: Filters): Record<string, string | undefined> {
  return {
    list: filters.list === 'open' ? undefined : filters.list,
    stages: filters.stages.join(','),
    categories: filters.categories.join(','),
    tags: filters.tags.join(','),
    excluded_tags: filters.excludedTags.join(','),
    keyword: filters.keyword,
    sort: filters.sort,
  };
}

/** Parses comma-separated positive integers, without duplicates. */
function numbers(text: string | null): number[] {
  const parts = (text ?? '').split(',').filter((part) => /^[1-9]\d{0,14}$/.test(part));
  return [...new Set(parts.map(Number))];
}

/** The argument of the list's query. Equal filters give equal arguments, and so the same cache entry. */
export function listArg(language: Language, filters: Filters): CampaignListArg {
  return {
    language,
    list: filters.list,
    stages: given(filters.stages),
    categories: given(filters.categories),
    tags: given(filters.tags),
    excludedTags: given(filters.excludedTags),
    keyword: filters.keyword || undefined,
    sort: filters.sort,
  };
}

/** The argument of the categories that the list offers: those that some of its campaigns have. Undefined: it offers none. */
export function offeredCategories(language: Language, { tags, excludedTags, ...filters }: Filters) {
  const stages = offeredStages(filters);
  return stages && { language, stages, tags: given(tags), excludedTags: given(excludedTags) };
}

/** The same of tags. */
export function offeredTags(language: Language, { categories, excludedTags, ...filters }: Filters) {
  const stages = offeredStages(filters);
  return stages && { language, stages, categories: given(categories), excludedTags: given(excludedTags) };
}

function offeredStages({ list, stages, keyword }: Pick<Filters, 'list' | 'stages' | 'keyword'>) {
  if (keyword) return undefined; // How many of each have a word is not counted.
  return given(stages.length > 0 ? stages : listedStages[list]);
}

/** What is offered, and after it what is chosen although the list has none of it, so that it can be taken away again. */
export function withChosen<Choice extends { id: number; campaigns?: number }>(
  offered: readonly Choice[] | undefined,
  all: readonly Choice[] | undefined,
  chosen: readonly number[],
): readonly Choice[] {
  const others = missing(offered, chosen).flatMap((id) => all?.find((one) => one.id === id) ?? []);
  return [...(offered ?? []), ...others.map((one) => ({ ...one, campaigns: offered && 0 }))];
}

/** The chosen ones that are not offered. */
export function missing(offered: readonly { id: number }[] | undefined, chosen: readonly number[]): number[] {
  return chosen.filter((id) => !offered?.some((one) => one.id === id));
}

const given = (values: readonly number[]) => (values.length > 0 ? [...values] : undefined);

/** Whether any filter is set. The list itself and its sort order are no filters. */
export function isFiltered({ stages, categories, tags, excludedTags, keyword }: Filters): boolean {
  return [stages, categories, tags, excludedTags, keyword].some((value) => value.length > 0);
}

type TagChoice = 'with' | 'without' | 'none';

/** Whether campaigns with a tag are required, excluded, or neither. */
export function tagChoice({ tags, excludedTags }: Filters, id: number): TagChoice {
  if (tags.includes(id)) return 'with';
  return excludedTags.includes(id) ? 'without' : 'none';
}

/** Cycles a tag: none, included, excluded, none. */
export function cycleTag(filters: Filters, id: number): Filters {
  const without = (ids: readonly number[]) => ids.filter((one) => one !== id);
  const { tags, excludedTags } = filters;
  switch (tagChoice(filters, id)) {
    case 'none':
      return { ...filters, tags: [...tags, id] };
    case 'with':
      return { ...filters, tags: without(tags), excludedTags: [...excludedTags, id] };
    case 'without':
      return { ...filters, excludedTags: without(excludedTags) };
  }
}

/** Adds an id to a list, or removes it. */
export function toggle(ids: readonly number[], id: number): number[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}
