import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Failure } from './failures';
import type { Order } from './order';

/** A pledge that exists and waits for a card. */
export interface Held {
  pledgeId: string;
  /** Stays in memory: never in an address, a log or the browser's storage. */
  clientSecret: string;
  /** What it was made from; another content needs another pledge. */
  content: string;
}

/** Where a submission stands, with exactly the data that the step has. */
export type FlowState =
  | { name: 'idle' }
  | { name: 'invalid'; held?: Held }
  | { name: 'checkingCard'; order: Order; held?: Held }
  | { name: 'signingIn'; order: Order }
  | { name: 'creating'; order: Order }
  /** The pledge is made, and its payment has to wait for those of pledges that were given up. */
  | { name: 'closingEarlier'; order: Order; pledgeId: string }
  | { name: 'settingUp'; order: Order; pledgeId: string }
  | { name: 'confirming'; order: Order; held: Held }
  | { name: 'awaitingCard'; held: Held; failure: Failure }
  | { name: 'openingPage'; order: Order; pledgeId: string; tries: number }
  | { name: 'redirecting'; url: string }
  /** `earlier`: it is a pledge that was given up, and its payment has gone through, or is with the bank, all the same. */
  | { name: 'succeeded'; pledgeId: string; earlier?: 'paid' | 'settling' }
  | { name: 'failed'; failure: Failure };

export type FlowName = FlowState['name'];

/** Every move there is. Where a name is missing from a row, the event that asks for it is ignored. */
export const moves: Readonly<Record<FlowName, readonly FlowName[]>> = {
  idle: ['invalid', 'checkingCard', 'signingIn', 'creating', 'failed'],
  invalid: ['invalid', 'checkingCard', 'signingIn', 'creating', 'failed'],
  failed: ['invalid', 'checkingCard', 'signingIn', 'creating', 'failed'],
  awaitingCard: ['invalid', 'checkingCard', 'signingIn', 'creating', 'failed'],
  checkingCard: ['invalid', 'signingIn', 'creating', 'confirming', 'failed'],
  signingIn: ['creating', 'failed'],
  creating: ['closingEarlier', 'settingUp', 'openingPage', 'succeeded', 'failed'],
  closingEarlier: ['settingUp', 'openingPage', 'succeeded', 'failed'],
  settingUp: ['confirming', 'succeeded', 'failed'],
  confirming: ['succeeded', 'awaitingCard', 'invalid', 'failed'],
  openingPage: ['openingPage', 'redirecting', 'succeeded', 'failed'],
  // Back from the hosted page by the browser's button, with the page as it was left.
  redirecting: ['idle'],
  succeeded: [],
};

/** The states in which Pay may be pressed; in all others a submission runs or is over. */
export function isResting(state: FlowState): boolean {
  return moves[state.name].includes('checkingCard');
}

/** A submission runs, or the browser is on its way out. */
export function isBusy(state: FlowState): boolean {
  return !isResting(state);
}

export function heldOf(state: FlowState): Held | undefined {
  return 'held' in state ? state.held : undefined;
}

const flow = createSlice({
  name: 'pledgeFlow',
  initialState: (): FlowState => ({ name: 'idle' }),
  reducers: {
    /** The form has open errors. A pledge that waits for a card goes on waiting. */
    formRefused: (state): FlowState => (isResting(state) ? { name: 'invalid', held: heldOf(state) } : state),
    payPressed: (state, { payload: { order } }: PayloadAction<{ order: Order }>): FlowState => {
      if (!isResting(state)) return state;
      const held = heldOf(state);
      if (order.method === 'card') return { name: 'checkingCard', order, held };
      return order.needsAccount ? { name: 'signingIn', order } : { name: 'creating', order };
    },
    entered: (state, { payload }: PayloadAction<FlowState>): FlowState =>
      moves[state.name].includes(payload.name) ? payload : state,
  },
});

export const { formRefused, payPressed, entered } = flow.actions;
export const flowReducer = flow.reducer;
