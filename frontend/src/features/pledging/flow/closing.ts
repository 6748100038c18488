import type { ApiError } from '../../../api/apiError';
import type { Paid, Ports } from './ports';

/** How long to wait for the payments of abandoned pledges to close, in milliseconds. It usually takes half a second. */
export const closingTimeout = 15_000;

/** What became of the payment of an abandoned pledge. */
type Ending =
  /** It can no longer be paid, or was never begun. */
  | { kind: 'closed' }
  /** It was paid after all, or a bank is processing it. */
  | { kind: 'paid' | 'settling' }
  /** It can still be paid. With an error, its state is unknown. */
  | { kind: 'open'; error?: ApiError };

/** Polls until the payment is closed or paid, but not beyond `until` (milliseconds since 1970). */
export async function awaitClosing(pledgeId: string, until: number, ports: Ports): Promise<Ending> {
  for (let polls = 1; ; polls += 1) {
    const ending = await poll(pledgeId, ports);
    const pause = Math.min(250 * polls, 2_000);
    if (ending.kind !== 'open' || ports.now() + pause > until) return ending;
    await ports.wait(pause);
  }
}

async function poll(pledgeId: string, ports: Ports): Promise<Ending> {
  const { data, error } = await ports.payment(pledgeId);
  if (!error) return { kind: kindOf(data) };
  return error.status === 'not_found' ? { kind: 'closed' } : { kind: 'open', error };
}

function kindOf({ status }: Paid): Ending['kind'] {
  switch (status) {
    case 'canceled':
    case 'failed':
    case 'refunded':
      return 'closed';
    case 'succeeded':
    case 'partly_refunded':
    case 'disputed':
      return 'paid';
    case 'processing':
      return 'settling';
    case 'created':
    case 'requires_action':
      return 'open';
    default:
      return status satisfies never;
  }
}
