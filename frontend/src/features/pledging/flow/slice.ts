import { createSlice, isAnyOf, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import { authFailed } from '../../../api/authEvents';
import { reducer } from '../../../api/reducer';
import { next, type FlowEvent, type FlowState } from './machine';

/** Identifies one mounting of a pledge page. */
export type Visit = string;

interface PledgeFlow {
  visit?: Visit;
  state: FlowState;
}

const idle: FlowState = { name: 'idle' };

/**
 * The submission of the pledge page that is open. Each visit starts idle; events of a submission whose page was left
 * are ignored. Added to the store when the pledge page is loaded.
 */
const pledgeFlow = createSlice({
  name: 'pledgeFlow',
  initialState: (): PledgeFlow => ({ state: idle }),
  reducers: {
    opened: (_, { payload }: PayloadAction<Visit>): PledgeFlow => ({ visit: payload, state: idle }),
    happened: (flow, { payload }: PayloadAction<{ visit: Visit; event: FlowEvent }>): PledgeFlow =>
      payload.visit === flow.visit ? { ...flow, state: next(flow.state, payload.event) } : flow,
  },
  // A refused sign-in or sign-up, wherever it was, clears the pledge that waits for it.
  extraReducers: (builder) =>
    builder.addMatcher(isAnyOf(authFailed.signIn, authFailed.signUp), (flow): PledgeFlow => ({
      ...flow,
      state: next(flow.state, { type: 'signInOver' }),
    })),
  selectors: {
    selectFlow: (flow, visit: Visit): FlowState => (flow.visit === visit ? flow.state : idle),
  },
});

declare module '../../../api/reducer' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declares the slice
  interface LazyLoadedSlices extends WithSlice<typeof pledgeFlow> {}
}

/** opened: a visit begins, in the idle state · happened: an event of a visit's submission. */
export const { opened, happened } = pledgeFlow.actions;
/** The state of a visit's submission; idle if another visit is open. */
export const { selectFlow } = pledgeFlow.injectInto(reducer).selectors;
