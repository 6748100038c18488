import type { Language } from '../../../domain/languages';

/**
 * The arguments of the home page's requests. The server embeds the responses to exactly these requests in the page. The
 * limits are larger than what is shown, because campaigns that were shown above are left out.
 */
export function homeCalls(language: Language) {
  return {
    popular: { language, limit: 10, sort: 'popular' as const },
    ending: { language, limit: 4, sort: 'ending' as const },
    monthly: { language, limit: 3, sort: 'popular' as const },
    experiments: { language, limit: 4, showIn: 'front_page' as const, sort: 'activity' as const },
    categories: { language },
  };
}

/** The part of a query hook's result that a section uses for its states. */
export interface ListQuery<T> {
  data?: T;
  isLoading: boolean;
  isError: boolean;
  refetch: () => unknown;
}
