import type { SearchArg, SearchGroupName } from '../../../api/search';
import type { Language } from '../../../domain/languages';

/** The groups of hits, in the order in which they are shown. */
export const searchGroups = ['open', 'monthly', 'coming', 'ended', 'creators', 'experiments'] as const;

/** The state of the search page, all of which is in its address. */
export interface SearchParams {
  q: string;
  place?: string;
  group?: SearchGroupName;
  exact: boolean;
}

/** In characters; the service's limit. */
export const maxQueryLength = 100;

/** Reads the address. Invalid values are ignored. */
export function readSearch(search: URLSearchParams): SearchParams {
  const short = (name: string) => (search.get(name) ?? '').trim().slice(0, maxQueryLength);
  return {
    q: short('q'),
    place: short('place') || undefined,
    group: searchGroups.find((one) => one === search.get('group')),
    exact: search.get('exact') === 'true',
  };
}

/** The parameters for the address. */
export function writeSearch({ q, place, group, exact }: SearchParams) {
  return { q, place, group, exact: exact ? 'true' : undefined };
}

/** The argument of the query. */
export function searchArg(language: Language, { q, place, group, exact }: SearchParams): SearchArg {
  return { language, q, place, group, exact: exact || undefined };
}
