import type { Refusal } from './answer';
import type { FlowEvent } from './machine';
import type { Run } from './run';

/** The event that a refusal of a payment's call leads to. */
export function stop({ ports }: Run, pledgeId: string, error: Refusal): FlowEvent {
  // The page of the pledge says which it is.
  if (error.status === 'pledge_already_paid' || error.status === 'pledge_settling')
    return { type: 'paid', pledgeId };
  // This pledge can no longer be paid: the next submission makes a new one.
  if (['pledge_not_payable', 'too_many_declines', 'not_found'].includes(error.status))
    ports.submissions.forget();
  return { type: 'failed', failure: { at: 'payment', error } };
}
