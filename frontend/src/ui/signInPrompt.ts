import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface SignInPrompt {
  isOpen: boolean;
  mode: 'signIn' | 'signUp';
  /** What the person wanted to do, so that the dialog can say why it is there. */
  reason?: 'like';
  /** What is known already, for the form of a new account. */
  prefill?: { email?: string; first_name?: string; last_name?: string };
}

const closed: SignInPrompt = { isOpen: false, mode: 'signIn' };

/** Whether the sign-in dialog is open. Any screen may ask for it; the shell shows it. */
const signInPrompt = createSlice({
  name: 'signInPrompt',
  initialState: closed,
  reducers: {
    askToSignIn: (
      _,
      { payload }: PayloadAction<Partial<Omit<SignInPrompt, 'isOpen'>> | undefined>,
    ): SignInPrompt => ({
      mode: 'signIn',
      ...payload,
      isOpen: true,
    }),
    closeSignIn: (state) => {
      state.isOpen = false;
    },
  },
  selectors: { selectSignInPrompt: (state) => state },
});

export const { askToSignIn, closeSignIn } = signInPrompt.actions;
export const { selectSignInPrompt } = signInPrompt.selectors;
export const signInPromptReducer = signInPrompt.reducer;
