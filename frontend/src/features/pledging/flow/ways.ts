import { ownFailure } from './failures';
import { charged } from './charged';
import { lookUp } from './lookUp';
import type { FlowEvent, UnpaidPledge } from './machine';
import { contentOf, type Order, type Way as WayName } from './order';
import { checkOwnCard, payByKeptCard, payByOwnCard } from './ownCard';
import { debit } from './debit';
import { stop } from './stop';
import { paymentDoubt, type Run } from './run';

/** What a payment method does in a submission; each step answers with the event that ends it. */
interface Way {
  /** Before anything is sent: an event if what was typed cannot be paid with. */
  check?: (run: Run) => Promise<FlowEvent | undefined> | FlowEvent | undefined;
  /** Pays what an earlier press has begun. Without it the same pledge is begun again, under the same key. */
  finish?: (run: Run, unpaid: UnpaidPledge) => Promise<FlowEvent>;
  /** Pays a pledge that was made. */
  pay: (run: Run, pledgeId: string) => Promise<FlowEvent>;
}

/** The payment methods' steps. A method has another row in ../methods.ts, for what is shown of it. */
export const ways: Readonly<Record<WayName, Way>> = {
  card: { check: checkCard, finish: (run, unpaid) => confirm(run, unpaid, false), pay: payByCard },
  keptFormCard: { pay: payByKeptFormCard },
  ownCard: { check: checkOwnCard, pay: payByOwnCard },
  keptCard: { pay: payByKeptCard },
  bank: { pay: debit },
  page: { pay: (run, pledgeId) => openPage(run, pledgeId, 'stripe') },
  ownPage: { pay: (run, pledgeId) => openPage(run, pledgeId, 'card') },
};

async function checkCard({ ports }: Run): Promise<FlowEvent | undefined> {
  const card = await ports.card.check();
  if (card === 'unavailable') return { type: 'failed', failure: ownFailure('configuration_error') };
  return card === 'incomplete' ? { type: 'cardIncomplete' } : undefined;
}

async function payByCard(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  const isKept = keepsCard(order);
  const { data, error, lost } = await ports.setUp(pledgeId, isKept ? { keep: true } : {});
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId }), ports);
  if (error) return stop(run, pledgeId, error);
  const { clientSecret } = data;
  if (!clientSecret) return { type: 'failed', failure: ownFailure('configuration_error') };
  const unpaid = { pledgeId, clientSecret, content: contentOf(order), ...(isKept && { isKept }) };
  return confirm(run, unpaid, data.wasRefused === false);
}

/** Whether the card that is typed into provider A's form is to be offered again. */
export function keepsCard(order: Order): boolean {
  return order.method === 'card' && order.isKept === true;
}

/** Pays with a card that provider A has kept. It is charged as one that is typed, with its bank's question on this page. */
async function payByKeptFormCard(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  if (order.method !== 'keptFormCard') return { type: 'failed', failure: ownFailure('generic') };
  const { cardId } = order;
  const { data, error, lost } = await ports.setUp(pledgeId, { card_id: cardId });
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId }), ports);
  if (error?.status === 'not_found') {
    ports.dropCard(cardId);
    return { type: 'failed', failure: ownFailure('card_declined') };
  }
  if (error) return stop(run, pledgeId, error);
  const { amount } = order.newPledge;
  const since = ports.now();
  ports.submissions.underWay({ pledgeId, amount, at: since });
  report({ type: 'cardCharged' });
  const doubt = paymentDoubt(run, undefined, { pledgeId, since });
  const { answer: outcome, event } = await charged(
    ports.confirmKept(data.clientSecret, pledgeId, cardId),
    doubt,
    ports,
  );
  if (event) return event;
  switch (outcome.kind) {
    case 'paid':
      return { type: 'paid', pledgeId };
    case 'incomplete':
    case 'refused': {
      ports.submissions.settled(pledgeId);
      const status = outcome.kind === 'refused' ? outcome.status : 'generic';
      if (status === 'expired_card') ports.dropCard(cardId);
      // There are no fields in which it could be corrected.
      const isOfFields = status === 'expired_card' || status === 'incorrect_cvc';
      return { type: 'failed', failure: ownFailure(isOfFields ? 'card_declined' : status) };
    }
    case 'unclear':
      return lookUp(doubt, ports);
    default:
      return outcome satisfies never;
  }
}

/** Charges the card for a payment that the provider has begun. */
async function confirm(run: Run, unpaid: UnpaidPledge, isFirst: boolean): Promise<FlowEvent> {
  const { order, ports, report } = run;
  const { pledgeId } = unpaid;
  const { amount } = order.newPledge;
  ports.submissions.underWay({ pledgeId, amount, at: ports.now() });
  report({ type: 'cardCharged', unpaid });
  const { answer: outcome, event } = await charged(
    ports.card.confirm(unpaid.clientSecret, pledgeId),
    paymentDoubt(run, undefined, { pledgeId, unpaid }),
    ports,
    isFirst,
  );
  if (event) return event;
  switch (outcome.kind) {
    case 'paid':
      return { type: 'paid', pledgeId };
    case 'incomplete':
      ports.submissions.settled(pledgeId);
      return { type: 'cardIncomplete' };
    case 'refused':
      ports.submissions.settled(pledgeId);
      return { type: 'cardRefused', unpaid, failure: ownFailure(outcome.status) };
    case 'unclear': {
      const since = ports.now();
      ports.submissions.underWay({ pledgeId, amount, at: since });
      return lookUp(paymentDoubt(run, undefined, { pledgeId, unpaid, since }), ports);
    }
    default:
      return outcome satisfies never;
  }
}

/** How often the hosted page is requested again. The server says how long to wait in between. */
export const pageRetries = 5;

async function openPage(run: Run, pledgeId: string, by: 'stripe' | 'card'): Promise<FlowEvent> {
  const { order, ports, report } = run;
  for (let tries = 0; tries <= pageRetries; tries += 1) {
    report({ type: 'pageAsked', pledgeId });
    const { data, error, lost } = await ports.openPage(pledgeId, by);
    if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId }), ports);
    if (error) return stop(run, pledgeId, error);
    if ('url' in data) {
      ports.submissions.underWay({ pledgeId, amount: order.newPledge.amount, at: ports.now() });
      ports.leaveFor(data.url);
      return { type: 'pageOpened', url: data.url };
    }
    if (tries < pageRetries) await ports.wait(data.retryAfter);
  }
  return { type: 'failed', failure: ownFailure('payment_page_failed') };
}
