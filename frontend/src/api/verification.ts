// Not in content.ts: only pages that confirm an email address or log in to the forum need these endpoints.
import { generatedVerification } from './verification.generated';

export * from './verification.generated';

/** The link may be another account's: what is confirmed is read anew. */
generatedVerification.enhanceEndpoints({
  addTagTypes: ['OwnProfile'],
  endpoints: { confirmEmail: { invalidatesTags: ['OwnProfile'] } },
});
