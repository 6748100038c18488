import type { Language } from '../domain/languages';
import { content, type ExperimentPreviewsAnswer } from './content';

export interface ExperimentTableArg {
  language: Language;
  keyword?: string;
  sort: string;
  direction: string;
}

/** The most that the API gives at once. */
const partSize = 300;

/** The whole table of experiments, part by part. */
export const { useExperimentTableInfiniteQuery } = content.injectEndpoints({
  endpoints: (build) => ({
    experimentTable: build.infiniteQuery<ExperimentPreviewsAnswer, ExperimentTableArg, number>({
      infiniteQueryOptions: {
        initialPageParam: 0,
        getNextPageParam: (last, _pages, offset) => {
          const next = offset + last.previews.length;
          return last.previews.length > 0 && next < last.total ? next : undefined;
        },
      },
      query: ({ queryArg: { language, ...question }, pageParam }) => ({
        url: `/experiments/preview/${language}/`,
        params: { limit: partSize, offset: pageParam, ...question },
      }),
      providesTags: ['Experiments'],
      keepUnusedDataFor: 0,
    }),
  }),
});
