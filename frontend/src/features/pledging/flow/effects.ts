import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import type { Pledge } from '../../../api/content';
import type { ApiError } from '../../../api/apiError';
import type { Payment } from '../../../api/payments';
import type { LocalUser } from '../../../api/session';
import { awaitClosing, closingPatience } from './closing';
import { ownFailure, statusOfCode, statusOfEnd, stillClosing, type Failure } from './failures';
import { entered, flowReducer, isResting, payPressed, type FlowState, type Held } from './machine';
import { contentOf, type Account, type Order } from './order';
import type { Ports } from './ports';

/** The hosted page is asked for again this often; the server says how long to wait between. */
export const pageRetries = 5;

/** Pay was pressed; the account's password goes to the effects only, never into the state. */
export const pay = (order: Order, account?: Account) => ({
  type: payPressed.type,
  payload: { order },
  meta: { account },
});

/**
 * The store of one checkout. It is made with the page and not part of the app's: nothing else needs to know it, and its
 * code comes with the page.
 */
export function makeFlowStore(ports: Ports) {
  const listener = createListenerMiddleware<FlowState>();
  const store = configureStore({
    reducer: flowReducer,
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false }).prepend(listener.middleware),
    devTools: false,
  });
  listener.startListening({
    // A press that the reducer ignored begins nothing.
    predicate: (action, state, before) => payPressed.match(action) && isResting(before) && !isResting(state),
    effect: async (action, { dispatch }) => {
      const { payload, meta } = action as ReturnType<typeof pay>;
      const enter = (state: FlowState) => {
        dispatch(entered(state));
        return state;
      };
      try {
        await submit(payload.order, meta.account, store.getState(), ports, enter);
      } catch (error) {
        console.warn('pledge:', error);
        enter({ name: 'failed', failure: ownFailure('generic') });
      }
    },
  });
  return store;
}

export type FlowStore = ReturnType<typeof makeFlowStore>;

/** Moves on and gives the state back, so that a step can end with it. */
type Enter = (state: FlowState) => FlowState;

/** One submission from the press to its end. Every step says where it is before it begins. */
async function submit(
  order: Order,
  account: Account | undefined,
  at: FlowState,
  ports: Ports,
  enter: Enter,
): Promise<FlowState> {
  if (at.name === 'checkingCard') {
    const card = await ports.card.check();
    if (card === 'unavailable') return enter({ name: 'failed', failure: ownFailure('configuration_error') });
    if (card === 'incomplete') return enter({ name: 'invalid', held: at.held });
    if (at.held?.content === contentOf(order)) return confirm(order, at.held, ports, enter);
  }
  let signed = order;
  if (account) {
    enter({ name: 'signingIn', order });
    const { data, error } = await ports.openAccount(account);
    if (error) return enter({ name: 'failed', failure: { at: 'account', error } });
    signed = withNames(order, data);
  }

  enter({ name: 'creating', order: signed });
  const made = await createOnce(signed, ports);
  if ('failure' in made) return enter({ name: 'failed', failure: made.failure });
  if (made.isPaid) return enter({ name: 'succeeded', pledgeId: made.pledgeId });
  const stopped = await closeEarlier(signed, made.pledgeId, ports, enter);
  if (stopped) return stopped;
  return signed.method === 'card'
    ? payByCard(signed, made.pledgeId, ports, enter)
    : openPage(signed, made.pledgeId, ports, enter);
}

/** Somebody who has an account need not type the name again. */
function withNames(order: Order, user: LocalUser): Order {
  const { pledge_meta: meta } = order.newPledge;
  const names = {
    first_name: meta.first_name || user.first_name,
    last_name: meta.last_name || user.last_name,
  };
  return { ...order, newPledge: { ...order.newPledge, pledge_meta: { ...meta, ...names } } };
}

type Made = { pledgeId: string; isPaid: boolean } | { failure: Failure };

/**
 * The same content goes out under the same key, so a lost answer is replayed and not pledged again. Another content
 * lets the unpaid pledge before it go first: nobody competes with themself for the last item.
 */
async function createOnce(order: Order, ports: Ports): Promise<Made> {
  const { submissions } = ports;
  const content = contentOf(order);
  const before = submissions.current();
  const isSame = before?.content === content;
  const others = [...submissions.givenUp()];
  if (before?.pledgeId && !isSame) others.push(before.pledgeId);
  for (const pledgeId of others) {
    const kept = await release(pledgeId, ports);
    if (kept) return kept;
  }
  const first = await send(order, isSame ? before.key : submissions.begin(content).key, ports);
  // An old submission may have lapsed or been given back since; then this is a new one.
  if ('pledge' in first && isOver(first.pledge)) {
    const kept = await release(first.pledge.pledge_id, ports);
    if (kept) return kept;
    return finish(await send(order, submissions.begin(content).key, ports), ports);
  }
  return finish(first, ports);
}

/** Lets an unpaid pledge go, which also closes its payment. Gives why it cannot, and then nothing new may be begun. */
async function release(pledgeId: string, ports: Ports): Promise<Made | undefined> {
  const { error } = await ports.releasePledge(pledgeId);
  if (!error || error.status === 'not_found') return undefined;
  if (error.status === 'pledge_already_paid') return { pledgeId, isPaid: true };
  return { failure: { at: 'pledge', error } };
}

type Sent = { pledge: Pledge } | { failure: Failure };

async function send(order: Order, key: string, ports: Ports): Promise<Sent> {
  const { data, error } = await ports.createPledge(order, key);
  if (data) return { pledge: data };
  // A refusal is final for its key; a lost answer is asked for again with it.
  if (error.status !== 'invalid_response' && error.http < 500) ports.submissions.forget();
  return { failure: { at: 'pledge', error } };
}

function finish(sent: Sent, { submissions }: Ports): Made {
  if ('failure' in sent) return sent;
  submissions.made(sent.pledge.pledge_id);
  return { pledgeId: sent.pledge.pledge_id, isPaid: isPaid(sent.pledge) };
}

function isOver({ status }: Pledge): boolean {
  return status === 'expired' || status === 'failed' || status === 'refunded';
}

function isPaid({ status }: Pledge): boolean {
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
 * A pledge that was given up may still have a card form, a bank's question or a payment page open somewhere. The next
 * one is paid only when nobody can pay any of them. Gives the state in which it ended here, if it did.
 */
async function closeEarlier(
  order: Order,
  pledgeId: string,
  ports: Ports,
  enter: Enter,
): Promise<FlowState | undefined> {
  const givenUp = ports.submissions.givenUp();
  if (givenUp.length === 0) return undefined;
  enter({ name: 'closingEarlier', order, pledgeId });
  const until = ports.now() + closingPatience;
  for (const earlier of givenUp) {
    const ending = await awaitClosing(earlier, until, ports);
    switch (ending.kind) {
      case 'closed':
        ports.submissions.closed(earlier);
        break;
      case 'paid':
      case 'settling':
        // The new one is not paid, and its reward is free again at once; if that fails, it lapses.
        await ports.releasePledge(pledgeId);
        return enter({ name: 'succeeded', pledgeId: earlier, earlier: ending.kind });
      case 'open':
        // "Nothing was charged" is said only when the last look saw it.
        return enter({
          name: 'failed',
          failure: ending.error ? { at: 'payment', error: ending.error } : ownFailure(stillClosing),
        });
      default:
        return ending satisfies never;
    }
  }
  return undefined;
}

async function payByCard(order: Order, pledgeId: string, ports: Ports, enter: Enter): Promise<FlowState> {
  enter({ name: 'settingUp', order, pledgeId });
  const { data, error } = await ports.setUp(pledgeId);
  if (error) return stop(error, pledgeId, ports, enter);
  if (!data.clientSecret) return enter({ name: 'failed', failure: ownFailure('configuration_error') });
  return confirm(
    order,
    { pledgeId, clientSecret: data.clientSecret, content: contentOf(order) },
    ports,
    enter,
  );
}

async function confirm(order: Order, held: Held, ports: Ports, enter: Enter): Promise<FlowState> {
  enter({ name: 'confirming', order, held });
  const outcome = await ports.card.confirm(held.clientSecret, held.pledgeId);
  switch (outcome.kind) {
    case 'paid':
      return enter({ name: 'succeeded', pledgeId: held.pledgeId });
    case 'incomplete':
      return enter({ name: 'invalid', held });
    case 'refused':
      return enter({ name: 'awaitingCard', held, failure: ownFailure(outcome.status) });
    case 'unclear':
      return lookUp(held, ports, enter);
    default:
      return outcome satisfies never;
  }
}

/** The server asks the provider, so that "nothing was charged" is never said of a payment that went through. */
async function lookUp(held: Held, ports: Ports, enter: Enter): Promise<FlowState> {
  const { data, error } = await ports.payment(held.pledgeId);
  if (error) return enter({ name: 'awaitingCard', held, failure: { at: 'payment', error } });
  const standing = standingOf(data);
  switch (standing.kind) {
    case 'paid':
      return enter({ name: 'succeeded', pledgeId: held.pledgeId });
    case 'open':
      return enter({ name: 'awaitingCard', held, failure: ownFailure(standing.status) });
    case 'over':
      ports.submissions.forget();
      return enter({ name: 'failed', failure: ownFailure(standing.status) });
    default:
      return standing satisfies never;
  }
}

type Standing = { kind: 'paid' } | { kind: 'open' | 'over'; status: string };

function standingOf({ status, failure_code }: Payment): Standing {
  switch (status) {
    case 'succeeded':
    case 'processing':
    case 'partly_refunded':
    case 'disputed':
      return { kind: 'paid' };
    case 'created':
    case 'requires_action':
      return { kind: 'open', status: statusOfCode(failure_code ?? 'generic') };
    case 'failed':
    case 'canceled':
    case 'refunded':
      return { kind: 'over', status: statusOfEnd(failure_code) };
    default:
      return status satisfies never;
  }
}

async function openPage(order: Order, pledgeId: string, ports: Ports, enter: Enter): Promise<FlowState> {
  for (let tries = 0; tries <= pageRetries; tries += 1) {
    enter({ name: 'openingPage', order, pledgeId, tries });
    const { data, error } = await ports.openPage(pledgeId);
    if (error) return stop(error, pledgeId, ports, enter);
    if ('url' in data) {
      const leaving = enter({ name: 'redirecting', url: data.url });
      ports.leaveFor(data.url);
      return leaving;
    }
    if (tries < pageRetries) await ports.wait(data.retryAfter);
  }
  return enter({ name: 'failed', failure: ownFailure('payment_page_failed') });
}

function stop(error: ApiError, pledgeId: string, { submissions }: Ports, enter: Enter): FlowState {
  if (error.status === 'pledge_already_paid') return enter({ name: 'succeeded', pledgeId });
  // Nobody can pay this one any more: the next press makes a new pledge.
  if (['pledge_not_payable', 'too_many_declines', 'not_found'].includes(error.status)) submissions.forget();
  return enter({ name: 'failed', failure: { at: 'payment', error } });
}
