import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiError } from '../../../api/apiError';
import { known, noAnswer } from './answer';
import type { State } from '../../../api/reducer';
import type { LocalUser } from '../../../api/session';
import { awaitClosing, closingTimeout } from './closing';
import { ownFailure, type Failure } from './failures';
import { lookUp, type Doubt, type Resolved } from './lookUp';
import { isOver, isPaid } from './made';
import { unpaidOf, isBusy, type FlowEvent, type UnpaidPledge } from './machine';
import { contentOf, isSameChoice, type Account, type Order, type Purchase } from './order';
import type { Made, Ports } from './ports';
import { paymentDoubt, pledgeDoubt, type Run } from './run';
import { happened, selectFlow, type Visit } from './slice';
import { keepsCard, ways } from './ways';

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
    const stateName = () => selectFlow(getState(), visit).name;
    const run: Run = { order, ports, report, isWaiting: () => stateName() === 'signingIn' };
    try {
      const last = await submit(run, account, unpaidOf(at));
      if (last) report(last);
    } catch (error) {
      console.warn('pledge:', error);
      const wasSent = !['checking', 'signingIn'].includes(stateName());
      report(wasSent ? await afterCrash(run) : { type: 'failed', failure: ownFailure('generic') });
    }
  };
}

/** Looks up what was left under way or unanswered. Does nothing in any other state. */
export function askAgain({
  visit,
  ports,
}: Pick<Press, 'visit' | 'ports'>): ThunkAction<Promise<void>, State, unknown, UnknownAction> {
  return async (dispatch, getState) => {
    const at = selectFlow(getState(), visit);
    if (at.name !== 'unknown' && at.name !== 'lookingUp') return;
    dispatch(happened({ visit, event: await lookUpSafely(at.doubt, ports) }));
  };
}

/** A look-up that the app itself breaks down in has no answer either. */
function lookUpSafely(doubt: Doubt, ports: Ports): Promise<Resolved> {
  return lookUp(doubt, ports).catch((error: unknown): Resolved => {
    console.warn('look-up:', error);
    return { type: 'unanswered', doubt };
  });
}

/** What was sent before the app itself broke down may have happened. */
function afterCrash(run: Run): Promise<FlowEvent> {
  const pledgeId = run.ports.submissions.current()?.pledgeId;
  const doubt = pledgeId ? paymentDoubt(run, noAnswer, { pledgeId }) : pledgeDoubt(run, noAnswer);
  return lookUpSafely(doubt, run.ports);
}

async function submit(
  run: Run,
  account: Account | undefined,
  unpaid: UnpaidPledge | undefined,
): Promise<FlowEvent | undefined> {
  const { order, ports, report, isWaiting } = run;
  const way = ways[order.method];
  const refused = await way.check?.(run);
  if (refused) return refused;
  if (unpaid && way.finish) {
    const isSame = unpaid.content === contentOf(order) && (unpaid.isKept ?? false) === keepsCard(order);
    if (isSame && !unpaid.isUnsure) return way.finish(run, unpaid);
    const end = account ? undefined : await correct(run, unpaid, way.finish);
    if (end) return end;
  }
  if (!account) return pledge(run);
  report({ type: 'accountAsked' });
  const { data, error, lost } = await ports.openAccount(account);
  // Without an answer nobody is signed in here, and nothing of the pledge was sent.
  if (lost) return { type: 'failed', failure: { at: 'account', error: known(lost) } };
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
async function correct(
  run: Run,
  unpaid: UnpaidPledge,
  finish: (run: Run, unpaid: UnpaidPledge) => Promise<FlowEvent>,
): Promise<FlowEvent | undefined> {
  const { order, ports, report } = run;
  if (!ports.correct || !isSameChoice(unpaid.content, order)) return undefined;
  report({ type: 'pledgeAsked' });
  const { data, error, lost } = await ports.correct(unpaid.pledgeId, order);
  const isUnsure = unpaid.isUnsure === true || lost !== undefined;
  if (data || isUnsure) ports.submissions.corrected();
  const { pledgeId } = unpaid;
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId, unpaid: { ...unpaid, isUnsure } }), ports);
  // Its address can no longer be changed: it has been paid meanwhile.
  if (error?.fields?.some(({ rule }) => rule === 'fixed')) return { type: 'paid', pledgeId: unpaid.pledgeId };
  if (error && error.status !== 'not_found')
    return { type: 'failed', failure: { at: 'pledge', error }, unpaid: { ...unpaid, isUnsure } };
  if (!data || isOver(data)) return undefined;
  if (isPaid(data)) return { type: 'paid', pledgeId: unpaid.pledgeId };
  return finish(run, { ...unpaid, content: contentOf(order), isUnsure: false });
}

async function pledge(run: Run): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'pledgeAsked' });
  if (ports.existing !== undefined) return ways[order.method].pay(run, ports.existing);
  const made = await createOnce(order, ports);
  if ('failure' in made) return { type: 'failed', failure: made.failure };
  if ('lost' in made)
    return lookUp(
      made.pledgeId === undefined
        ? pledgeDoubt(run, made.lost)
        : paymentDoubt(run, made.lost, { pledgeId: made.pledgeId, isEarlier: true }),
      ports,
    );
  const { pledgeId } = made;
  if (made.isPaid) return { type: 'paid', pledgeId };
  const end = await closeEarlier(run, pledgeId);
  if (end) return end;
  return ways[order.method].pay(run, pledgeId);
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

type Outcome =
  | { pledgeId: string; isPaid: boolean }
  | { failure: Failure }
  /** `pledgeId`: of the earlier pledge whose release was not answered; undefined for the new one. */
  | { lost: ApiError; pledgeId?: string };

/**
 * Creates the pledge, or finds it again: the same content has the same idempotency key, so that repeating a request
 * after a lost response makes no second pledge. Changed content first releases the earlier unpaid pledge, so that a
 * backer does not compete with their own reservation for the last item.
 */
async function createOnce(order: Purchase, ports: Ports): Promise<Outcome> {
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
    return keep(await send(order, submissions.begin(content).key, ports), ports);
  }
  return keep(first, ports);
}

/** Releases an unpaid pledge, which also closes its payment. Returns a result only if it cannot: then stop with it. */
async function release(pledgeId: string, ports: Ports): Promise<Outcome | undefined> {
  const { error, lost } = await ports.releasePledge(pledgeId);
  if (lost) return { lost, pledgeId };
  if (!error || error.status === 'not_found') return undefined;
  // The page of the pledge says which it is.
  if (error.status === 'pledge_already_paid' || error.status === 'pledge_settling')
    return { pledgeId, isPaid: true };
  return { failure: { at: 'pledge', error } };
}

type Sent = { pledge: Made } | { failure: Failure } | { lost: ApiError };

async function send(order: Purchase, key: string, ports: Ports): Promise<Sent> {
  const { data, error, lost } = await ports.createPledge(order, key);
  if (data) return { pledge: data };
  // After a lost response the same key must be used again.
  if (lost) return { lost };
  // The server stores a refusal under its key.
  ports.submissions.forget();
  return { failure: { at: 'pledge', error } };
}

function keep(sent: Sent, { submissions }: Ports): Outcome {
  if (!('pledge' in sent)) return sent;
  submissions.made(sent.pledge.pledge_id);
  return { pledgeId: sent.pledge.pledge_id, isPaid: isPaid(sent.pledge) };
}

/**
 * An abandoned pledge may still have a 3-D Secure challenge or a payment page open somewhere. The new pledge is paid
 * only when none of them can be paid any more, so that nobody pays twice. Returns an event if the submission ends here.
 */
async function closeEarlier(run: Run, pledgeId: string): Promise<FlowEvent | undefined> {
  const { ports, report } = run;
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
        return { type: 'failed', failure: ownFailure('still_closing') };
      case 'unknown':
        return lookUp(paymentDoubt(run, ending.lost, { pledgeId: earlier, isEarlier: true }), ports);
      default:
        return ending satisfies never;
    }
  }
  return undefined;
}
