import type { Language } from '../../../domain/languages';

/** What the front page asks. The server puts these very answers into the page. */
export function homeCalls(language: Language) {
  return {
    popular: { language, limit: 7, sort: 'popular' as const },
    ending: { language, limit: 3, sort: 'ending' as const },
    monthly: { language, limit: 3, sort: 'popular' as const },
    experiments: { language, limit: 4, sort: 'activity' as const },
    categories: { language },
  };
}

/** A list's faces, as the query hooks give them. */
export interface Faces<T> {
  data?: T;
  isLoading: boolean;
  isError: boolean;
  refetch: () => unknown;
}
