import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import { reducer } from '../api/reducer';

export interface SignInPrompt {
  isOpen: boolean;
  mode: 'signIn' | 'signUp';
  /** What the person wanted to do, so that the dialog can say why it is there. */
  reason?: 'like';
  /** The campaign that is to be liked; the wish outlives the dialog until somebody has signed in or given up. */
  campaignId?: number;
  /** What is known already of the person: from a pledge, or typed before the dialog was closed. Never a password. */
  prefill?: Prefill;
}

export interface Prefill {
  email?: string;
  first_name?: string;
  last_name?: string;
}

const closed: SignInPrompt = { isOpen: false, mode: 'signIn' };

/** Whether the sign-in dialog is open. Any screen may ask for it; the shell shows it. */
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
    /** With what was typed, when it was closed without signing in: one press of Escape must not lose it. */
    closeSignIn: (state, { payload }: PayloadAction<Prefill | undefined>) => {
      state.isOpen = false;
      state.prefill = payload;
    },
    forgetWish: (state) => {
      state.campaignId = undefined;
    },
  },
  selectors: { selectSignInPrompt: (state) => state },
});

declare module '../api/reducer' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- says what joins
  interface LaterParts extends WithSlice<typeof signInPrompt> {}
}

export const { askToSignIn, closeSignIn, forgetWish } = signInPrompt.actions;
export const { selectSignInPrompt } = signInPrompt.injectInto(reducer).selectors;
