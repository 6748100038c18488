/** Navigation state of the return to the pledge page: why nothing was paid. */
export interface ReturnOutcome {
  /** A key of the error catalogue, or 'canceled' for leaving the payment page on purpose, which is no error. */
  notPaid: string;
  keepFocus?: true;
}

/** Reads the outcome from a navigation state; undefined if it has none. */
export function outcomeIn(state: unknown): ReturnOutcome | undefined {
  if (typeof state !== 'object' || state === null || !('notPaid' in state)) return undefined;
  return typeof state.notPaid === 'string' ? { notPaid: state.notPaid } : undefined;
}
