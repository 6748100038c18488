import type { Language } from '../domain/languages';
import { generatedPeople, type UserPreviewsAnswer } from './people.generated';

export type * from './people.generated';

const reload = ['OwnProfile', 'Person', 'People'] as const;

/** The calls about people. Whoever changes themself gets their profile, page and lists anew. */
const calls = generatedPeople.enhanceEndpoints({
  addTagTypes: [
    'Reader',
    'Own',
    'OwnProfile',
    'OwnInvitations',
    'Person',
    'People',
    'Accounts',
    'Experiments',
  ],
  endpoints: {
    ownProfile: { providesTags: ['Reader', 'Own', 'OwnProfile'] },
    ownInvitations: { providesTags: ['Reader', 'Own', 'OwnInvitations'], keepUnusedDataFor: 0 },
    // Also on an error: the invitation may be over.
    acceptExperimentInvitation: { invalidatesTags: ['OwnInvitations', 'Experiments', 'Person', 'People'] },
    declineExperimentInvitation: { invalidatesTags: ['OwnInvitations'] },
    userProfile: { providesTags: ['Reader', 'Person'] },
    userPreviews: { providesTags: ['People'] },
    changeProfile: { invalidatesTags: reload },
    changeProfileImage: { invalidatesTags: reload },
    setProfileLinks: { invalidatesTags: reload },
    setProfileSkills: { invalidatesTags: reload },
    setProfileTags: { invalidatesTags: reload },
    changeSettings: { invalidatesTags: reload },
    // Admins always read what is now.
    peopleAdmin: { providesTags: ['Reader', 'Own', 'Accounts'], keepUnusedDataFor: 0 },
    personAdmin: { providesTags: ['Reader', 'Own', 'Accounts'], keepUnusedDataFor: 0 },
    changePersonAdmin: { invalidatesTags: ['Accounts', 'Person', 'People'] },
    auditTrail: { providesTags: ['Reader', 'Own'], keepUnusedDataFor: 0 },
  },
});

export interface PeopleListArg {
  language: Language;
  keyword?: string;
  tag?: number;
  sort?: 'newest';
}

const pageSize = 24;

/** The index of people. */
export const people = calls.injectEndpoints({
  endpoints: (build) => ({
    /** The index, page by page. The first page's address is the one that the server embeds. */
    peopleList: build.infiniteQuery<UserPreviewsAnswer, PeopleListArg, number>({
      infiniteQueryOptions: {
        initialPageParam: 0,
        getNextPageParam: (last, pages) => {
          const shown = pages.reduce((sum, { previews }) => sum + previews.length, 0);
          return last.previews.length > 0 && shown < last.total ? shown : undefined;
        },
      },
      query: ({ queryArg: { language, keyword, tag, sort }, pageParam }) => ({
        url: '/users/preview/',
        params: {
          language,
          limit: pageSize,
          offset: pageParam,
          keyword: keyword || undefined,
          tags: tag,
          sort,
        },
      }),
      keepUnusedDataFor: 600, // Long enough to open somebody's page and come back.
      providesTags: ['People'],
    }),
  }),
});

export const {
  useAcceptExperimentInvitationMutation,
  useDeclineExperimentInvitationMutation,
  useOwnInvitationsQuery,
  useUserPreviewsQuery,
  useAuditTrailQuery,
  useChangePersonAdminMutation,
  useChangeProfileImageMutation,
  useChangeProfileMutation,
  useChangeSettingsMutation,
  useLazyOwnProfileQuery,
  useLazyUserProfileQuery,
  useOwnProfileQuery,
  usePeopleAdminQuery,
  usePeopleListInfiniteQuery,
  useSetProfileLinksMutation,
  useSetProfileSkillsMutation,
  useSetProfileTagsMutation,
  useUserProfileQuery,
  useUserTagsQuery,
} = people;
