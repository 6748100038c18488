import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import { reducer } from '../api/reducer';

/** Whether and why the sign-in dialog is open. */
export interface SignInPrompt {
  isOpen: boolean;
  mode: 'signIn' | 'signUp';
  /** The action that needs an account; the dialog explains it. */
  reason?: 'like' | 'create' | 'join' | 'forum';
  /** The campaign to like after signing in. */
  pendingLikeCampaignId?: number;
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
    /** The payload is what was typed, kept for the next time: Escape must not lose it. None after signing in. */
    closeSignIn: (state, { payload }: PayloadAction<Prefill | undefined>) => {
      state.isOpen = false;
      state.prefill = payload;
    },
    dropPendingLike: (state) => {
      state.pendingLikeCampaignId = undefined;
    },
  },
  selectors: { selectSignInPrompt: (state) => state },
});

declare module '../api/reducer' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declares the slice
  interface LazyLoadedSlices extends WithSlice<typeof signInPrompt> {}
}

export const { askToSignIn, closeSignIn, dropPendingLike } = signInPrompt.actions;
export const { selectSignInPrompt } = signInPrompt.injectInto(reducer).selectors;
