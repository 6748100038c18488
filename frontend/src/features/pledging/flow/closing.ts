import type { ApiError } from '../../../api/apiError';
import { findPayment } from './lookUp';
import type { Ports } from './ports';

/** How long to wait for the payments of abandoned pledges to close, in milliseconds. It usually takes half a second. */
export const closingTimeout = 15_000;

/** What became of the payment of an abandoned pledge. */
type Ending =
  /** It can no longer be paid, or was never begun. */
  | { kind: 'closed' }
  /** It was paid after all, or a bank is processing it. */
  | { kind: 'paid' | 'settling' }
  /** It can still be paid. */
  | { kind: 'open' }
  | { kind: 'unknown'; lost: ApiError };

/** Polls until the payment is closed or paid, but not beyond `until` (milliseconds since 1970). */
export async function awaitClosing(pledgeId: string, until: number, ports: Ports): Promise<Ending> {
  for (let polls = 1; ; polls += 1) {
    const ending = await poll(pledgeId, ports);
    const pause = Math.min(250 * polls, 2_000);
    const isLast = (ending.kind !== 'open' && ending.kind !== 'unknown') || ports.now() + pause > until;
    if (isLast) return ending;
    await ports.wait(pause);
  }
}

async function poll(pledgeId: string, ports: Ports): Promise<Ending> {
  const found = await findPayment(pledgeId, ports);
  switch (found.kind) {
    case 'never':
    case 'over':
      return { kind: 'closed' };
    case 'open':
      return { kind: 'open' };
    case 'paid':
    case 'settling':
      return { kind: found.kind };
    case 'unknown':
      return found;
    default:
      return found satisfies never;
  }
}
