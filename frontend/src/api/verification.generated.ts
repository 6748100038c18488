import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendVerification: build.mutation<
      SendVerificationApiResponse,
      SendVerificationApiArg
    >({
      query: () => ({ url: `/users/me/verification/`, method: "POST" }),
    }),
    confirmEmail: build.mutation<ConfirmEmailApiResponse, ConfirmEmailApiArg>({
      query: (queryArg) => ({
        url: `/users/verifications/`,
        method: "POST",
        body: queryArg.emailLink,
      }),
    }),
    signInToForum: build.mutation<
      SignInToForumApiResponse,
      SignInToForumApiArg
    >({
      query: (queryArg) => ({
        url: `/users/sso/discourse/`,
        method: "POST",
        body: queryArg.forumRequest,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedVerification };
export type SendVerificationApiResponse = unknown;
export type SendVerificationApiArg = void;
export type ConfirmEmailApiResponse =
  /** status 200 The address is confirmed, or what they had is in the account that has confirmed it */ {
    outcome: "confirmed" | "merged";
  };
export type ConfirmEmailApiArg = {
  emailLink: EmailLink;
};
export type SignInToForumApiResponse =
  /** status 200 What the forum is to be told */ ForumAnswer;
export type SignInToForumApiArg = {
  forumRequest: ForumRequest;
};
export type FieldError = {
  path: string;
  /** A key of the rules in errors.yaml */
  rule: string;
  /** What fills the placeholders of the rule's text, such as min */
  params?: {
    [key: string]: any;
  };
  message: string;
};
export type ApiError = {
  /** A key of errors.yaml */
  status: string;
  code?: string;
  /** In the reader's language */
  message: string;
  fields?: FieldError[];
  /** Of status changed_meanwhile: the version there is */
  version?: number;
  request_id: string;
};
export type EmailLink = {
  token: string;
  /** Whether what the person has goes to the account that has confirmed the address, if there is one */
  merge?: boolean;
};
export type ForumAnswer = {
  /** The query for the return address: sso and sig */
  sso_string: string;
  /** The forum's return address, one of the configured ones; the browser goes to it with ? and sso_string */
  return_url: string;
};
export type ForumRequest = {
  /** The request in base64, as the forum's link has it, line breaks included */
  sso: string;
  /** HMAC-SHA256 of sso in hexadecimal */
  sig: string;
};
export const {
  useSendVerificationMutation,
  useConfirmEmailMutation,
  useSignInToForumMutation,
} = injectedRtkApi;
