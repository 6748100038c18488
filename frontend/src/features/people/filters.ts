import type { PeopleListArg } from '../../api/people';
import type { Language } from '../../domain/languages';

/** The state of the index of people, all of which is in the address. */
export interface Filters {
  keyword: string;
  tag?: number;
  sort?: 'newest';
}

/** The service's limit. */
const longestKeyword = 100;

/** Reads the address. Invalid values are ignored. */
export function readFilters(search: URLSearchParams): Filters {
  const tag = search.get('tag') ?? '';
  return {
    keyword: (search.get('keyword') ?? '').trim().slice(0, longestKeyword),
    tag: /^[1-9]\d{0,14}$/.test(tag) ? Number(tag) : undefined,
    sort: search.get('sort') === 'newest' ? 'newest' : undefined,
  };
}

/** The argument of the list's query. Equal filters give equal arguments, and so the same cache entry. */
export function listArg(language: Language, { keyword, tag, sort }: Filters): PeopleListArg {
  return { language, keyword: keyword || undefined, tag, sort };
}
