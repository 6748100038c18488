import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<
      ChangePasswordApiResponse,
      ChangePasswordApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/password`,
        method: "POST",
        body: queryArg.passwordChange,
      }),
    }),
    askPasswordReset: build.mutation<
      AskPasswordResetApiResponse,
      AskPasswordResetApiArg
    >({
      query: (queryArg) => ({
        url: `/users/password_resets/`,
        method: "POST",
        body: queryArg.passwordResetRequest,
      }),
    }),
    resetPassword: build.mutation<
      ResetPasswordApiResponse,
      ResetPasswordApiArg
    >({
      query: (queryArg) => ({
        url: `/users/password_changes/`,
        method: "POST",
        body: queryArg.passwordReset,
      }),
    }),
    beginConfirmation: build.mutation<
      BeginConfirmationApiResponse,
      BeginConfirmationApiArg
    >({
      query: () => ({
        url: `/users/me/confirmations/challenge/`,
        method: "POST",
      }),
    }),
    confirmIdentity: build.mutation<
      ConfirmIdentityApiResponse,
      ConfirmIdentityApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/confirmations/`,
        method: "POST",
        body: queryArg.confirmation,
      }),
    }),
    ownSecurity: build.query<OwnSecurityApiResponse, OwnSecurityApiArg>({
      query: () => ({ url: `/users/me/security/` }),
    }),
    beginTotp: build.mutation<BeginTotpApiResponse, BeginTotpApiArg>({
      query: () => ({ url: `/users/me/totp/`, method: "POST" }),
    }),
    removeTotp: build.mutation<RemoveTotpApiResponse, RemoveTotpApiArg>({
      query: () => ({ url: `/users/me/totp/`, method: "DELETE" }),
    }),
    confirmTotp: build.mutation<ConfirmTotpApiResponse, ConfirmTotpApiArg>({
      query: (queryArg) => ({
        url: `/users/me/totp/confirmation/`,
        method: "POST",
        body: queryArg.totpCode,
      }),
    }),
    makeBackupCodes: build.mutation<
      MakeBackupCodesApiResponse,
      MakeBackupCodesApiArg
    >({
      query: () => ({ url: `/users/me/backup_codes/`, method: "POST" }),
    }),
    beginPasskey: build.mutation<BeginPasskeyApiResponse, BeginPasskeyApiArg>({
      query: () => ({ url: `/users/me/passkeys/challenge/`, method: "POST" }),
    }),
    addPasskey: build.mutation<AddPasskeyApiResponse, AddPasskeyApiArg>({
      query: (queryArg) => ({
        url: `/users/me/passkeys/`,
        method: "POST",
        body: queryArg.newPasskey,
      }),
    }),
    renamePasskey: build.mutation<
      RenamePasskeyApiResponse,
      RenamePasskeyApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/passkeys/${encodeURIComponent(String(queryArg.passkeyId))}/`,
        method: "PATCH",
        body: queryArg.passkeyName,
      }),
    }),
    removePasskey: build.mutation<
      RemovePasskeyApiResponse,
      RemovePasskeyApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/passkeys/${encodeURIComponent(String(queryArg.passkeyId))}/`,
        method: "DELETE",
      }),
    }),
    ownSessions: build.query<OwnSessionsApiResponse, OwnSessionsApiArg>({
      query: () => ({ url: `/users/me/sessions/` }),
    }),
    endOtherSessions: build.mutation<
      EndOtherSessionsApiResponse,
      EndOtherSessionsApiArg
    >({
      query: () => ({ url: `/users/me/sessions/`, method: "DELETE" }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      query: (queryArg) => ({
        url: `/users/me/sessions/${encodeURIComponent(String(queryArg.sessionId))}/`,
        method: "DELETE",
      }),
    }),
    ownData: build.query<OwnDataApiResponse, OwnDataApiArg>({
      query: () => ({ url: `/users/me/data/` }),
    }),
    ownErasure: build.query<OwnErasureApiResponse, OwnErasureApiArg>({
      query: (queryArg) => ({
        url: `/users/me/erasure/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    eraseAccount: build.mutation<EraseAccountApiResponse, EraseAccountApiArg>({
      query: (queryArg) => ({
        url: `/users/me/erasure/`,
        method: "POST",
        body: queryArg.erasureRequest,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSecurity };
export type ChangePasswordApiResponse = unknown;
export type ChangePasswordApiArg = {
  passwordChange: PasswordChange;
};
export type AskPasswordResetApiResponse = unknown;
export type AskPasswordResetApiArg = {
  passwordResetRequest: PasswordResetRequest;
};
export type ResetPasswordApiResponse = unknown;
export type ResetPasswordApiArg = {
  passwordReset: PasswordReset;
};
export type BeginConfirmationApiResponse =
  /** status 201 Good for ten minutes */ PasskeyChallenge;
export type BeginConfirmationApiArg = void;
export type ConfirmIdentityApiResponse = unknown;
export type ConfirmIdentityApiArg = {
  confirmation: Confirmation;
};
export type OwnSecurityApiResponse = /** status 200 Second steps */ Security;
export type OwnSecurityApiArg = void;
export type BeginTotpApiResponse = /** status 201 The secret */ TotpSecret;
export type BeginTotpApiArg = void;
export type RemoveTotpApiResponse = unknown;
export type RemoveTotpApiArg = void;
export type ConfirmTotpApiResponse =
  /** status 200 It is in use */ SecondStepAdded;
export type ConfirmTotpApiArg = {
  totpCode: TotpCode;
};
export type MakeBackupCodesApiResponse =
  /** status 200 Shown only now */ SecondStepAdded;
export type MakeBackupCodesApiArg = void;
export type BeginPasskeyApiResponse =
  /** status 201 Good for ten minutes */ PasskeyChallenge;
export type BeginPasskeyApiArg = void;
export type AddPasskeyApiResponse =
  /** status 201 It is in use */ SecondStepAdded;
export type AddPasskeyApiArg = {
  newPasskey: NewPasskey;
};
export type RenamePasskeyApiResponse = unknown;
export type RenamePasskeyApiArg = {
  passkeyId: number;
  passkeyName: PasskeyName;
};
export type RemovePasskeyApiResponse = unknown;
export type RemovePasskeyApiArg = {
  passkeyId: number;
};
export type OwnSessionsApiResponse = /** status 200 Sessions */ SessionsAnswer;
export type OwnSessionsApiArg = void;
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  sessionId: string;
};
export type OwnDataApiResponse =
  /** status 200 The file; its parts are named in English */ {
    [key: string]: any;
  };
export type OwnDataApiArg = void;
export type OwnErasureApiResponse =
  /** status 200 What would happen now */ Erasure;
export type OwnErasureApiArg = {
  language?: Language;
};
export type EraseAccountApiResponse = unknown;
export type EraseAccountApiArg = {
  erasureRequest: ErasureRequest;
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
export type PasswordChange = {
  old_password: string;
  new_password: string;
};
export type Language = string;
export type PasswordResetRequest = {
  email: string;
  language?: Language;
};
export type PasswordReset = {
  email: string;
  token: string;
  new_password: string;
};
export type PasskeyOptions = object;
export type PasskeyChallenge = {
  /** To be sent with the passkey; good once */
  challenge: string;
  options: PasskeyOptions;
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
export type Confirmation = {
  password?: string;
  code?: Code;
  backup_code?: BackupCode;
  challenge?: string;
  passkey?: Assertion;
};
export type TotpState = {
  added_at: string;
  used_at?: string;
};
export type Passkey = {
  passkey_id: number;
  name: string;
  added_at: string;
  used_at?: string;
};
export type Security = {
  has_password: boolean;
  totp?: TotpState;
  passkeys: Passkey[];
  backup_codes_left: number;
  /** Of staff; without a second step at sign-in they have no more rights than others */
  is_required: boolean;
  session_has_second_step: boolean;
  /** Until then this session may do what wants more than a session, such as changing second steps */
  confirmed_until: string | null;
};
export type TotpSecret = {
  /** Base32; for typing */
  secret: string;
  /** otpauth://, for a QR code */
  uri: string;
};
export type SecondStepAdded = {
  /** Made with the first second step and when asked for; shown only now */
  backup_codes?: string[];
};
export type TotpCode = {
  code: Code;
};
export type NameOfPasskey = string;
export type Attestation = {
  id: string;
  rawId: string;
  type: "public-key";
  authenticatorAttachment?: string;
  clientExtensionResults?: object;
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[];
    authenticatorData?: string;
    publicKey?: string;
    publicKeyAlgorithm?: number;
  };
};
export type NewPasskey = {
  challenge: string;
  name: NameOfPasskey;
  passkey: Attestation;
};
export type PasskeyName = {
  name: NameOfPasskey;
};
export type OwnSession = {
  session_id: string;
  kind: "phone" | "tablet" | "computer" | "unknown";
  /** As the browser names itself; empty if it does not */
  browser: string;
  system: string;
  created_at: string;
  /** To within five minutes */
  seen_at: string;
  is_current: boolean;
};
export type SessionsAnswer = {
  sessions: OwnSession[];
};
export type Count = number;
export type Amount = number;
export type ErasureGoingOn = {
  currency: string;
  pledges: Count;
  amount: Amount;
};
export type ErasureMonthly = {
  currency: string;
  supports: Count;
  amount: Amount;
};
export type Slug = string;
export type ErasureBlocker = {
  /** campaign: its creator, and it collects or its money is not settled. payment: a bank is still confirming or disputing it. staff: an admin has to take the rights away first */
  reason: "campaign" | "payment" | "staff";
  campaign_id?: number;
  slug?: Slug;
  /** The campaign's in the reader's language */
  title?: string;
};
export type Erasure = {
  /** Receipts that bookkeeping law keeps */
  receipts: Count;
  /** When the last of their names goes; left out without receipts */
  receipts_until?: string;
  /** What has been paid for campaigns that are not over, by currency: it stays with them, without a name */
  going_on: ErasureGoingOn[];
  /** Monthly support that goes on, or is paused or owed, by currency: it ends */
  monthly: ErasureMonthly[];
  /** While there is one nothing can be erased */
  blockers: ErasureBlocker[];
};
export type ErasureRequest = {
  /** The account's own, typed as a confirmation */
  email: string;
  /** Left out by accounts that have none */
  password?: string;
};
export const {
  useChangePasswordMutation,
  useAskPasswordResetMutation,
  useResetPasswordMutation,
  useBeginConfirmationMutation,
  useConfirmIdentityMutation,
  useOwnSecurityQuery,
  useLazyOwnSecurityQuery,
  useBeginTotpMutation,
  useRemoveTotpMutation,
  useConfirmTotpMutation,
  useMakeBackupCodesMutation,
  useBeginPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
  useOwnSessionsQuery,
  useLazyOwnSessionsQuery,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useOwnDataQuery,
  useLazyOwnDataQuery,
  useOwnErasureQuery,
  useLazyOwnErasureQuery,
  useEraseAccountMutation,
} = injectedRtkApi;
