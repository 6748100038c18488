import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/users/`,
        method: "POST",
        body: queryArg.registration,
      }),
    }),
    signIn: build.mutation<SignInApiResponse, SignInApiArg>({
      query: (queryArg) => ({
        url: `/users/tokens/`,
        method: "POST",
        body: queryArg.credentials,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedAccount };
export type RegisterApiResponse = /** status 201 Signed in */ TokenAnswer;
export type RegisterApiArg = {
  registration: Registration;
};
export type SignInApiResponse = /** status 200 Signed in */ TokenAnswer;
export type SignInApiArg = {
  credentials: Credentials;
};
export type Token = {
  string: string;
  /** 12 hours after it was made */
  expires_at: string;
};
export type Acl = ("view" | "edit" | "admin")[];
export type LocalUser = {
  user_id: number;
  first_name: string;
  last_name: string;
  email: string;
  verified: boolean;
  scope: Acl;
};
export type TokenAnswer = {
  token: Token;
  user: LocalUser;
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
export type Language = string;
export type Registration = {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
  language?: Language;
};
export type Credentials = {
  email: string;
  password: string;
};
export const { useRegisterMutation, useSignInMutation } = injectedRtkApi;
