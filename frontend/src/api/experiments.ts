import { languages } from '../domain/languages';
import { logQuietly } from './apiError';
import { content, type Experiment } from './content';
import { generatedExperiments } from './experiments.generated';
import { selectUser, type SessionState } from './session';

export type * from './experiments.generated';

interface ExperimentArg {
  experimentId: number;
}

const tagOf = ({ experimentId }: ExperimentArg) => [{ type: 'Experiment' as const, id: experimentId }];
/** What readers are shown changes, and so may every list. */
const changes = {
  invalidatesTags: (_answer: unknown, _error: unknown, arg: ExperimentArg) => [
    ...tagOf(arg),
    'Experiments' as const,
  ],
};

type LikeLifecycle = (
  arg: ExperimentArg,
  api: {
    dispatch: (action: unknown) => unknown;
    getState: () => unknown;
    queryFulfilled: Promise<{ data: { likes: number; liked: boolean } }>;
  },
) => Promise<void>;

/** As liking a campaign: shown at once, undone when it fails, dropped when somebody else has signed in meanwhile. */
function likeOptimistically(isLiked: boolean): LikeLifecycle {
  return async ({ experimentId }, { dispatch, getState, queryFulfilled }) => {
    const reader = () => selectUser(getState() as { session: SessionState })?.user_id;
    const likedBy = reader();
    const show = (liked: boolean, count: (experiment: Experiment) => number) =>
      languages.map(
        (language) =>
          dispatch(
            content.util.updateQueryData('experiment', { experimentId, language }, ({ experiment }) => {
              experiment.like_count = Math.max(0, count(experiment));
              experiment.my_relationships = liked ? ['like'] : [];
            }),
          ) as { undo: () => void },
      );
    const patches = show(isLiked, ({ like_count }) => like_count + (isLiked ? 1 : -1));
    try {
      const { data } = await queryFulfilled;
      if (reader() === likedBy) show(data.liked, () => data.likes);
    } catch (failure) {
      if (reader() === likedBy) for (const patch of patches) patch.undo();
      logQuietly('like', (failure as { error?: unknown }).error);
    }
  };
}

/** The calls of experiments beyond reading one, with what they change for readers. */
export const experiments = generatedExperiments.enhanceEndpoints({
  // Experiments: lists of them.
  addTagTypes: ['Reader', 'Experiment', 'Experiments'],
  endpoints: {
    // Always read anew: what one begins to edit must not be an earlier visit's.
    experimentAdmin: { keepUnusedDataFor: 0 },
    experimentHistory: { keepUnusedDataFor: 0 },
    experimentHistoryValue: { keepUnusedDataFor: 0 },
    createExperiment: { invalidatesTags: ['Experiments'] },
    changeExperimentSettings: changes,
    changeExperimentLanguage: changes,
    changeExperimentCustomLanguage: changes,
    changeExperimentImage: changes,
    changeExperimentFunding: changes,
    setExperimentTags: changes,
    setExperimentLinks: changes,
    moveExperiment: changes,
    likeExperiment: { onQueryStarted: likeOptimistically(true) },
    unlikeExperiment: { onQueryStarted: likeOptimistically(false) },
  },
});

// Whoever has written an experiment reads its page anew. Here, because only these pages need it.
content.enhanceEndpoints({
  addTagTypes: ['Experiment', 'Experiments'],
  endpoints: {
    experiment: { providesTags: (_answer, _error, arg) => ['Reader', ...tagOf(arg)] },
  },
});

export const { endpoints: experimentEndpoints } = experiments;

export const {
  useChangeExperimentImageMutation,
  useChangeExperimentFundingMutation,
  useChangeExperimentSettingsMutation,
  useCreateExperimentMutation,
  useExperimentAdminQuery,
  useExperimentHistoryQuery,
  useExperimentTagsQuery,
  useLazyExperimentAdminQuery,
  useLazyExperimentHistoryQuery,
  useLazyExperimentHistoryValueQuery,
  useLikeExperimentMutation,
  useMoveExperimentMutation,
  usePlacesQuery,
  useUnlikeExperimentMutation,
} = experiments;
