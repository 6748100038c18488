import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import type { SecondStep } from '../api/account';
import { reducer } from '../api/reducer';
import { signedIn } from '../api/session';

/** Whether and why the sign-in dialog is open. */
export interface SignInPrompt {
  isOpen: boolean;
  mode: 'signIn' | 'signUp';
  /** The action that needs an account; the dialog explains it. */
  reason?: 'like' | 'create' | 'join' | 'forum';
  /** The campaign to like after signing in. */
  pendingLikeCampaignId?: number;
  /** The password was right, and the account asks for this. In memory only. */
  secondStep?: SecondStep;
  /** Known from a pledge, or typed before the dialog was closed. Never a password. */
  prefill?: Prefill;
}

/** Initial values of the dialog's forms. */
export interface Prefill {
  email?: string;
  first_name?: string;
  last_name?: string;
}

const closed: SignInPrompt = { isOpen: false, mode: 'signIn' };

/** The state of the sign-in dialog. Any page may open it; the shell renders it. */
const signInPrompt = createSlice({
  name: 'signInPrompt',
  initialState: closed,
  reducers: {
    askToSignIn: (
      state,
      { payload }: PayloadAction<Partial<Omit<SignInPrompt, 'isOpen'>> | undefined>,
    ): SignInPrompt => ({
      mode: 'signIn',
      ...payload,
      prefill: { ...state.prefill, ...payload?.prefill },
      isOpen: true,
    }),
    modeChanged: (state, { payload }: PayloadAction<SignInPrompt['mode']>) => {
      state.mode = payload;
    },
    secondStepAsked: (state, { payload }: PayloadAction<SecondStep | undefined>) => {
      state.secondStep = payload;
    },
    /** Kept until somebody has signed in: neither Escape nor the other form loses it. */
    typed: (state, { payload }: PayloadAction<Prefill>) => {
      state.prefill = { ...state.prefill, ...payload };
    },
    closeSignIn: (state) => {
      state.isOpen = false;
      state.secondStep = undefined;
    },
    dropPendingLike: (state) => {
      state.pendingLikeCampaignId = undefined;
    },
  },
  extraReducers: (builder) =>
    builder.addCase(signedIn, (state) => {
      state.prefill = undefined;
    }),
  selectors: { selectSignInPrompt: (state) => state },
});

declare module '../api/reducer' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declares the slice
  interface LazyLoadedSlices extends WithSlice<typeof signInPrompt> {}
}

export const { askToSignIn, modeChanged, secondStepAsked, typed, closeSignIn, dropPendingLike } =
  signInPrompt.actions;
export const { selectSignInPrompt } = signInPrompt.injectInto(reducer).selectors;
