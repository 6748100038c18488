import {
  addListener,
  createSlice,
  type ThunkAction,
  type UnknownAction,
  type WithSlice,
} from '@reduxjs/toolkit';
import { reducer } from '../api/reducer';

/** Whether who is signed in is asked to show that it is still them. Any page may ask; the shell renders the dialog. */
const confirmPrompt = createSlice({
  name: 'confirmPrompt',
  initialState: { isOpen: false },
  reducers: {
    confirmAsked: () => ({ isOpen: true }),
    /** The payload: whether they have shown it. */
    confirmAnswered: {
      reducer: () => ({ isOpen: false }),
      prepare: (hasShown: boolean) => ({ payload: hasShown }),
    },
  },
  selectors: { selectIsConfirmAsked: ({ isOpen }) => isOpen },
});

declare module '../api/reducer' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declares the slice
  interface LazyLoadedSlices extends WithSlice<typeof confirmPrompt> {}
}

export const { confirmAsked, confirmAnswered } = confirmPrompt.actions;
export const { selectIsConfirmAsked } = confirmPrompt.injectInto(reducer).selectors;

/** Asks who is signed in to show that it is still them. Resolves to whether they have. */
export const askToConfirm =
  (): ThunkAction<Promise<boolean>, unknown, unknown, UnknownAction> => (dispatch) =>
    new Promise((resolve) => {
      dispatch(
        addListener({
          actionCreator: confirmAnswered,
          effect: ({ payload }, api) => {
            api.unsubscribe();
            resolve(payload);
          },
        }) as unknown as UnknownAction,
      );
      dispatch(confirmAsked());
    });
