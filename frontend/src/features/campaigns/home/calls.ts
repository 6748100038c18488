import type { Language } from '../../../domain/languages';
import { campaignStages } from '../../../domain/stages';

/**
 * The arguments of the home page's requests. The server embeds the responses to exactly these requests in the page. The
 * limits are larger than what is shown, because campaigns that were shown above are left out. The order front_page is
 * what staff have chosen, then the most popular; of experiments, then the liveliest.
 */
export function homeCalls(language: Language) {
  return {
    popular: { language, limit: 10, sort: 'front_page' as const },
    ending: { language, limit: 4, sort: 'ending' as const },
    monthly: { language, limit: 3, sort: 'front_page' as const },
    experiments: { language, limit: 4, showIn: 'front_page' as const, sort: 'front_page' as const },
    categories: { language, stages: [campaignStages.funding, campaignStages.recurring] },
  };
}

/** The part of a query hook's result that a section uses for its states. */
export interface ListQuery<T> {
  data?: T;
  isLoading: boolean;
  isError: boolean;
  refetch: () => unknown;
}
