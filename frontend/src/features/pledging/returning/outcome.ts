/** Why somebody came back from the payment page without having paid; it travels in the state of the navigation. */
export interface ReturnOutcome {
  /** A key of the error catalogue, or 'canceled': leaving the payment page on purpose is no error. */
  notPaid: string;
  keepFocus?: true;
}

export function outcomeIn(state: unknown): ReturnOutcome | undefined {
  if (typeof state !== 'object' || state === null || !('notPaid' in state)) return undefined;
  return typeof state.notPaid === 'string' ? { notPaid: state.notPaid } : undefined;
}
