import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiError } from '../../../api/apiError';
import type { State } from '../../../api/reducer';
import type { LocalUser } from '../../../api/session';
import { awaitClosing, closingTimeout } from './closing';
import { ownFailure, stillClosing, type Failure } from './failures';
import { lookUpPayment } from './lookUpPayment';
import { unpaidOf, isBusy, type FlowEvent, type UnpaidPledge } from './machine';
import { contentOf, isSameChoice, type Account, type Order } from './order';
import type { Made, Ports } from './ports';
import { happened, selectFlow, type Visit } from './slice';

/** How often the hosted page is requested again. The server says how long to wait in between. */
export const pageRetries = 5;

/** What one press of Pay submits. */
export interface Press {
  visit: Visit;
  order: Order;
  /** Kept out of the state, because of its password. */
  account?: Account;
  ports: Ports;
}

/** Runs a submission from the press of Pay to its end. Does nothing while another one runs. */
export function pay({
  visit,
  order,
  account,
  ports,
}: Press): ThunkAction<Promise<void>, State, unknown, UnknownAction> {
  return async (dispatch, getState) => {
    const at = selectFlow(getState(), visit);
    if (isBusy(at)) return;
    const report = (event: FlowEvent) => void dispatch(happened({ visit, event }));
    report({ type: 'payPressed' });
    const isWaiting = () => selectFlow(getState(), visit).name === 'signingIn';
    try {
      const last = await submit({ order, ports, report, isWaiting }, account, unpaidOf(at));
      if (last) report(last);
    } catch (error) {
      console.warn('pledge:', error);
      report({ type: 'failed', failure: ownFailure('generic') });
    }
  };
}

/** The context of a submission, passed to all its steps. */
interface Run {
  order: Order;
  ports: Ports;
  /** Sends an event to the state machine before each step. The last event is returned by the steps instead. */
  report: (event: FlowEvent) => void;
  /** Whether the pledge still waits for a sign-in: the page may have been left, or the sign-in refused. */
  isWaiting: () => boolean;
}

async function submit(
  run: Run,
  account: Account | undefined,
  unpaid: UnpaidPledge | undefined,
): Promise<FlowEvent | undefined> {
  const { order, ports, report, isWaiting } = run;
  if (order.method === 'card') {
    const card = await ports.card.check();
    if (card === 'unavailable') return { type: 'failed', failure: ownFailure('configuration_error') };
    if (card === 'incomplete') return { type: 'cardIncomplete' };
    if (unpaid?.content === contentOf(order) && !unpaid.isUnsure) return confirm(run, unpaid);
    const end = unpaid && !account && (await correct(run, unpaid));
    if (end) return end;
  }
  if (!account) return pledge(run);
  report({ type: 'accountAsked' });
  const { data, error } = await ports.openAccount(account);
  if (error) return { type: 'failed', failure: { at: 'account', error } };
  // With another person than the one who had typed, the page has been mounted anew by then.
  await ports.wait(0);
  if (!data || !isWaiting()) return { type: 'signInOver' };
  return pledge({ ...run, order: withNames(order, data) });
}

/**
 * Pays what is not paid yet when only who pays has been typed anew, after correcting that. Returns nothing when another
 * has to be made instead.
 */
async function correct(run: Run, unpaid: UnpaidPledge): Promise<FlowEvent | undefined> {
  const { order, ports, report } = run;
  if (!ports.correct || !isSameChoice(unpaid.content, order)) return undefined;
  report({ type: 'pledgeAsked' });
  const { data, error } = await ports.correct(unpaid.pledgeId, order);
  const isUnsure = unpaid.isUnsure === true || isLost(error);
  if (data || isUnsure) ports.submissions.corrected();
  // Its address can no longer be changed: it has been paid meanwhile.
  if (error?.fields?.some(({ rule }) => rule === 'fixed')) return { type: 'paid', pledgeId: unpaid.pledgeId };
  if (error && error.status !== 'not_found')
    return { type: 'failed', failure: { at: 'pledge', error }, unpaid: { ...unpaid, isUnsure } };
  if (!data || isOver(data)) return undefined;
  if (isPaid(data)) return { type: 'paid', pledgeId: unpaid.pledgeId };
  return confirm(run, { ...unpaid, content: contentOf(order), isUnsure: false });
}

async function pledge(run: Run): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'pledgeAsked' });
  const made = await createOnce(order, ports);
  if ('failure' in made) return { type: 'failed', failure: made.failure };
  const { pledgeId } = made;
  if (made.isPaid) return { type: 'paid', pledgeId };
  const end = await closeEarlier(run, pledgeId);
  if (end) return end;
  return order.method === 'card' ? payByCard(run, pledgeId) : openPage(run, pledgeId);
}

/** Fills in missing names from the account. */
function withNames(order: Order, user: LocalUser): Order {
  const { pledge_meta: meta } = order.newPledge;
  const names = {
    first_name: meta.first_name || user.first_name,
    last_name: meta.last_name || user.last_name,
  };
  return { ...order, newPledge: { ...order.newPledge, pledge_meta: { ...meta, ...names } } };
}

type Outcome = { pledgeId: string; isPaid: boolean } | { failure: Failure };

/**
 * Creates the pledge, or finds it again: the same content has the same idempotency key, so that repeating a request
 * after a lost response makes no second pledge. Changed content first releases the earlier unpaid pledge, so that a
 * backer does not compete with their own reservation for the last item.
 */
async function createOnce(order: Order, ports: Ports): Promise<Outcome> {
  const { submissions } = ports;
  const content = contentOf(order);
  const before = submissions.current();
  const isSame = before?.content === content;
  const others = [...submissions.abandoned()];
  if (before?.pledgeId && !isSame) others.push(before.pledgeId);
  for (const pledgeId of others) {
    const kept = await release(pledgeId, ports);
    if (kept) return kept;
  }
  const first = await send(order, isSame ? before.key : submissions.begin(content).key, ports);
  // The replayed pledge may have expired or been refunded since. Then a new one is made.
  if ('pledge' in first && isOver(first.pledge)) {
    const kept = await release(first.pledge.pledge_id, ports);
    if (kept) return kept;
    return finish(await send(order, submissions.begin(content).key, ports), ports);
  }
  return finish(first, ports);
}

/** Releases an unpaid pledge, which also closes its payment. Returns a result only if it cannot: then stop with it. */
async function release(pledgeId: string, ports: Ports): Promise<Outcome | undefined> {
  const { error } = await ports.releasePledge(pledgeId);
  if (!error || error.status === 'not_found') return undefined;
  if (error.status === 'pledge_already_paid') return { pledgeId, isPaid: true };
  return { failure: { at: 'pledge', error } };
}

type Sent = { pledge: Made } | { failure: Failure };

async function send(order: Order, key: string, ports: Ports): Promise<Sent> {
  const { data, error } = await ports.createPledge(order, key);
  if (data) return { pledge: data };
  // The server stores a refusal under its key. After a lost response the same key must be used again.
  if (!isLost(error)) ports.submissions.forget();
  return { failure: { at: 'pledge', error } };
}

/** Whether it is not known if the server did what was asked. */
function isLost(error: ApiError | undefined): boolean {
  return error !== undefined && (error.status === 'invalid_response' || error.http >= 500);
}

function finish(sent: Sent, { submissions }: Ports): Outcome {
  if ('failure' in sent) return sent;
  submissions.made(sent.pledge.pledge_id);
  return { pledgeId: sent.pledge.pledge_id, isPaid: isPaid(sent.pledge) };
}

function isOver({ status }: Made): boolean {
  return status === 'expired' || status === 'failed' || status === 'refunded';
}

function isPaid({ status }: Made): boolean {
  switch (status) {
    case 'paid':
    case 'processing':
    case 'partly_refunded':
    case 'disputed':
      return true;
    case 'created':
    case 'awaiting_payment':
    case 'expired':
    case 'failed':
    case 'refunded':
      return false;
    default:
      return status satisfies never;
  }
}

/**
 * An abandoned pledge may still have a 3-D Secure challenge or a payment page open somewhere. The new pledge is paid
 * only when none of them can be paid any more, so that nobody pays twice. Returns an event if the submission ends here.
 */
async function closeEarlier({ ports, report }: Run, pledgeId: string): Promise<FlowEvent | undefined> {
  const abandoned = ports.submissions.abandoned();
  if (abandoned.length === 0) return undefined;
  report({ type: 'earlierAwaited' });
  const until = ports.now() + closingTimeout;
  for (const earlier of abandoned) {
    const ending = await awaitClosing(earlier, until, ports);
    switch (ending.kind) {
      case 'closed':
        ports.submissions.closed(earlier);
        break;
      case 'paid':
      case 'settling':
        // The new pledge is not paid, and its reservation is freed. If that fails, the reservation expires.
        await ports.releasePledge(pledgeId);
        return { type: 'paid', pledgeId: earlier, earlier: ending.kind };
      case 'open':
        // After a failed poll it is not known whether anything was charged, so the error must not deny it.
        return {
          type: 'failed',
          failure: ending.error ? { at: 'payment', error: ending.error } : ownFailure(stillClosing),
        };
      default:
        return ending satisfies never;
    }
  }
  return undefined;
}

async function payByCard(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  const { data, error } = await ports.setUp(pledgeId);
  if (error) return stop(run, pledgeId, error);
  const { clientSecret } = data;
  if (!clientSecret) return { type: 'failed', failure: ownFailure('configuration_error') };
  return confirm(run, { pledgeId, clientSecret, content: contentOf(order) });
}

async function confirm(run: Run, unpaid: UnpaidPledge): Promise<FlowEvent> {
  const { ports, report } = run;
  report({ type: 'cardCharged', unpaid });
  const outcome = await ports.card.confirm(unpaid.clientSecret, unpaid.pledgeId);
  switch (outcome.kind) {
    case 'paid':
      return { type: 'paid', pledgeId: unpaid.pledgeId };
    case 'incomplete':
      return { type: 'cardIncomplete' };
    case 'refused':
      return { type: 'cardRefused', unpaid, failure: ownFailure(outcome.status) };
    case 'unclear':
      return lookUpPayment(unpaid, ports);
    default:
      return outcome satisfies never;
  }
}

async function openPage(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { ports, report } = run;
  for (let tries = 0; tries <= pageRetries; tries += 1) {
    report({ type: 'pageAsked', pledgeId });
    const { data, error } = await ports.openPage(pledgeId);
    if (error) return stop(run, pledgeId, error);
    if ('url' in data) {
      ports.leaveFor(data.url);
      return { type: 'pageOpened', url: data.url };
    }
    if (tries < pageRetries) await ports.wait(data.retryAfter);
  }
  return { type: 'failed', failure: ownFailure('payment_page_failed') };
}

function stop({ ports }: Run, pledgeId: string, error: ApiError): FlowEvent {
  if (error.status === 'pledge_already_paid') return { type: 'paid', pledgeId };
  // This pledge can no longer be paid: the next submission makes a new one.
  if (['pledge_not_payable', 'too_many_declines', 'not_found'].includes(error.status))
    ports.submissions.forget();
  return { type: 'failed', failure: { at: 'payment', error } };
}
