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
    takeSecondStep: build.mutation<
      TakeSecondStepApiResponse,
      TakeSecondStepApiArg
    >({
      query: (queryArg) => ({
        url: `/users/tokens/second_step/`,
        method: "POST",
        body: queryArg.secondStepProof,
      }),
    }),
    beginPasskeySignIn: build.mutation<
      BeginPasskeySignInApiResponse,
      BeginPasskeySignInApiArg
    >({
      query: () => ({
        url: `/users/tokens/passkey/challenge/`,
        method: "POST",
      }),
    }),
    signInWithPasskey: build.mutation<
      SignInWithPasskeyApiResponse,
      SignInWithPasskeyApiArg
    >({
      query: (queryArg) => ({
        url: `/users/tokens/passkey/`,
        method: "POST",
        body: queryArg.passkeySignIn,
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
export type SignInApiResponse =
  | /** status 200 Signed in */ TokenAnswer
  | /** status 202 The second step is missing */ SecondStepAnswer;
export type SignInApiArg = {
  credentials: Credentials;
};
export type TakeSecondStepApiResponse = /** status 200 Signed in */ TokenAnswer;
export type TakeSecondStepApiArg = {
  secondStepProof: SecondStepProof;
};
export type BeginPasskeySignInApiResponse =
  /** status 201 Good for ten minutes */ PasskeyChallenge;
export type BeginPasskeySignInApiArg = void;
export type SignInWithPasskeyApiResponse =
  /** status 200 Signed in */ TokenAnswer;
export type SignInWithPasskeyApiArg = {
  passkeySignIn: PasskeySignIn;
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
  /** Of staff who signed in without a second step, so that the scope is view alone */
  second_step_missing?: boolean;
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
export type SecondStepMethod = "passkey" | "totp" | "backup_code";
export type PasskeyOptions = object;
export type SecondStep = {
  /** To be sent with the second step; good for one sign-in */
  challenge: string;
  methods: SecondStepMethod[];
  passkey?: PasskeyOptions;
  expires_at: string;
};
export type SecondStepAnswer = {
  second_step: SecondStep;
};
export type Credentials = {
  email: string;
  password: string;
};
export type Code = string;
export type BackupCode = string;
export type Assertion = {
  id: string;
  rawId: string;
  type: "public-key";
  authenticatorAttachment?: string;
  clientExtensionResults?: object;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
};
export type SecondStepProof = {
  challenge: string;
  code?: Code;
  backup_code?: BackupCode;
  passkey?: Assertion;
};
export type PasskeyChallenge = {
  /** To be sent with the passkey; good once */
  challenge: string;
  options: PasskeyOptions;
};
export type PasskeySignIn = {
  challenge: string;
  passkey: Assertion;
};
export const {
  useRegisterMutation,
  useSignInMutation,
  useTakeSecondStepMutation,
  useBeginPasskeySignInMutation,
  useSignInWithPasskeyMutation,
} = injectedRtkApi;
