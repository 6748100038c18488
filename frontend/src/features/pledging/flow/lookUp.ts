import type { ApiError } from '../../../api/apiError';
import { standOf } from '../../../domain/payments';
import { ownFailure, statusOfCode, statusOfEnd, unchargedFailure, type OwnRefusal } from './failures';
import type { FlowEvent, UnpaidPledge } from './machine';
import { isOver, isPaid } from './made';
import type { Purchase } from './order';
import type { Paid, Ports } from './ports';

/** What has to be asked again, because an answer was lost. */
export type Doubt = {
  /** What it is about, in the major unit. */
  amount: number;
  /** The answer that was lost; undefined when it was not waited for. */
  lost?: ApiError;
} & (
  | {
      about: 'pledge';
      /** The same request makes no second one. */
      order: Purchase;
    }
  | {
      about: 'payment';
      pledgeId: string;
      /** Milliseconds since 1970: when it was last under way from here. */
      since: number;
      /** It can still be paid, if it was not. */
      unpaid?: UnpaidPledge;
      /** Another pledge waits for it. */
      isEarlier?: boolean;
    }
);

type PaymentDoubt = Extract<Doubt, { about: 'payment' }>;

/** What a look-up has found. unknown is not a refusal, whatever was said before. */
type Found =
  | { kind: 'paid' | 'settling' }
  /** No payment was begun. */
  | { kind: 'never' }
  /** It can still be paid. `status`: why a bank refused it. */
  | { kind: 'open'; status?: OwnRefusal }
  | { kind: 'over'; status: OwnRefusal }
  | { kind: 'unknown'; lost: ApiError };

/**
 * How long a payment that was under way may still come through, in milliseconds. Until then an open one, of which no bank
 * has said anything, is not taken for one that was not charged.
 */
export const underWay = 4_000;

/** The event that the look-up of a doubt leads to. */
export type Resolved = Extract<
  FlowEvent,
  { type: 'paid' | 'cardRefused' | 'failed' | 'nothingCharged' | 'unanswered' }
>;

/** Asks the services, which ask the provider, so that nothing is reported before it is known. */
export function lookUp(doubt: Doubt, ports: Ports): Promise<Resolved> {
  switch (doubt.about) {
    case 'pledge':
      return lookUpPledge(doubt, ports);
    case 'payment':
      return lookUpPayment(doubt, ports);
    default:
      return doubt satisfies never;
  }
}

async function lookUpPledge(doubt: Extract<Doubt, { about: 'pledge' }>, ports: Ports): Promise<Resolved> {
  const { submissions } = ports;
  const key = submissions.current()?.key;
  if (!key) return { type: 'failed', failure: unchargedFailure(doubt.lost) };
  const { data, error, lost } = await ports.createPledge(doubt.order, key);
  if (lost) return unanswered(doubt, lost);
  if (error) {
    submissions.forget();
    return { type: 'failed', failure: { at: 'pledge', error } };
  }
  submissions.made(data.pledge_id);
  if (isPaid(data)) return { type: 'paid', pledgeId: data.pledge_id };
  if (isOver(data)) submissions.forget();
  return { type: 'failed', failure: unchargedFailure(doubt.lost) };
}

async function lookUpPayment(doubt: PaymentDoubt, ports: Ports): Promise<Resolved> {
  return eventOf(doubt, await findSettled(doubt.pledgeId, doubt.since, ports), ports);
}

/** The event of what was found of a payment. */
export function eventOf(doubt: PaymentDoubt, found: Found, { submissions }: Ports): Resolved {
  const { pledgeId, unpaid, isEarlier, lost } = doubt;
  switch (found.kind) {
    case 'unknown':
      return unanswered(doubt, found.lost);
    case 'paid':
    case 'settling':
      return { type: 'paid', pledgeId, ...(isEarlier && { earlier: found.kind }) };
    case 'never':
    case 'open': {
      submissions.settled(pledgeId);
      const status = found.kind === 'open' ? found.status : undefined;
      const failure = status ? ownFailure(status) : unchargedFailure(lost);
      if (unpaid) return { type: 'cardRefused', unpaid, failure };
      return status || lost ? { type: 'failed', failure } : { type: 'nothingCharged' };
    }
    case 'over':
      submissions.settled(pledgeId);
      if (isEarlier) {
        submissions.closed(pledgeId);
        return { type: 'failed', failure: unchargedFailure(lost) };
      }
      if (submissions.current()?.pledgeId === pledgeId) submissions.forget();
      return { type: 'failed', failure: ownFailure(found.status) };
    default:
      return found satisfies never;
  }
}

const unanswered = (doubt: Doubt, lost: ApiError): Resolved => ({
  type: 'unanswered',
  doubt: { ...doubt, lost },
});

/** Waits once until what was under way must have come through, if nothing is known of it before. */
async function findSettled(pledgeId: string, since: number, ports: Ports): Promise<Found> {
  const found = await findPayment(pledgeId, ports);
  const wait = since + underWay - ports.now();
  if (found.kind !== 'open' || found.status || wait <= 0) return found;
  await ports.wait(wait);
  return findPayment(pledgeId, ports);
}

/**
 * What nothing that is still under way changes any more: that it is paid or over, or, where `isFirst` says that no try
 * was refused before, that this one was. Otherwise undefined.
 */
export async function findFinal(
  pledgeId: string,
  ports: Ports,
  isFirst: boolean,
): Promise<Found | undefined> {
  const found = await findPayment(pledgeId, ports);
  switch (found.kind) {
    case 'paid':
    case 'settling':
    case 'over':
      return found;
    case 'open':
      return isFirst && found.status ? found : undefined;
    case 'never':
    case 'unknown':
      return undefined;
    default:
      return found satisfies never;
  }
}

/** How a payment stands. A pledge without one was never charged; any other error is no answer. */
export async function findPayment(pledgeId: string, ports: Pick<Ports, 'payment'>): Promise<Found> {
  const { data, error, lost } = await ports.payment(pledgeId);
  if (data) return foundOf(data);
  if (error?.status === 'not_found') return { kind: 'never' };
  return { kind: 'unknown', lost: error ?? lost };
}

function foundOf({ status, failure_code }: Paid): Found {
  const kind = standOf(status);
  switch (kind) {
    case 'paid':
    case 'settling':
      return { kind };
    case 'open':
      return { kind, status: failure_code === undefined ? undefined : statusOfCode(failure_code) };
    case 'over':
      return { kind, status: statusOfEnd(failure_code) };
    default:
      return kind satisfies never;
  }
}
