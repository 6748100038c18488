import type { Language } from '../../../domain/languages';

/**
 * What the front page asks. The server puts these very answers into the page. No campaign stands on it twice, so there are
 * some to spare.
 */
export function homeCalls(language: Language) {
  return {
    popular: { language, limit: 10, sort: 'popular' as const },
    ending: { language, limit: 4, sort: 'ending' as const },
    monthly: { language, limit: 3, sort: 'popular' as const },
    experiments: { language, limit: 4, sort: 'activity' as const },
    categories: { language },
  };
}

/** A list's faces, as the query hooks give them. */
export interface ListQuery<T> {
  data?: T;
  isLoading: boolean;
  isError: boolean;
  refetch: () => unknown;
}
