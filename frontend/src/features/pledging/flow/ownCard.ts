import type { PayIn } from '../../../api/checkoutPayments';
import { toCents } from '../../../domain/amounts';
import { fieldFaultOf } from '../card/own/checkCard';
import { noAnswer } from './answer';
import { charged } from './charged';
import { ownFailure } from './failures';
import { lookUp } from './lookUp';
import type { FlowEvent } from './machine';
import { contentOf } from './order';
import type { Charge } from './ports';
import { resultOf, succeeded, type Result } from './results';
import { paymentDoubt, type Run } from './run';
import { stop } from './stop';

/** Validates our own card fields. */
export function checkOwnCard({ order, ports }: Run): FlowEvent | undefined {
  return ports.ownCard.check(contentOf(order)) === 'incomplete' ? { type: 'cardIncomplete' } : undefined;
}

/** Pays at provider B with the card in our fields, which is registered there first; one that is already is not typed again. */
export async function payByOwnCard(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  const begun = await ports.providerB.registration(pledgeId);
  if (begun.lost) return lookUp(paymentDoubt(run, begun.lost, { pledgeId }), ports);
  if (begun.error) return stop(run, pledgeId, begun.error);
  const { cardRegistration, authorId, creditedWalletId } = begun.data;
  const known = ports.ownCard.registered();
  if (known) return charge(run, { pledgeId, cardId: known.cardId, authorId, creditedWalletId });
  const sent = await ports.ownCard.register(cardRegistration);
  if (sent.lost) return lookUp(paymentDoubt(run, sent.lost, { pledgeId }), ports);
  if (sent.error) return stop(run, pledgeId, sent.error);
  const finished = await ports.providerB.finish({
    pledgeId,
    registrationId: cardRegistration.Id,
    registrationData: sent.data,
    keep: order.method === 'ownCard' && order.isKept,
  });
  if (finished.lost) return lookUp(paymentDoubt(run, finished.lost, { pledgeId }), ports);
  if (finished.error) return stop(run, pledgeId, finished.error);
  const { cardId, label = '', ResultCode: code } = finished.data;
  if (cardId === undefined) return refused(run, resultOf(code), code);
  ports.ownCard.keep({ cardId, label, content: contentOf(order) });
  return charge(run, { pledgeId, cardId, authorId, creditedWalletId });
}

/** Pays with a card that provider B has kept. A registration tells who pays and into which wallet; it makes no card. */
export async function payByKeptCard(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  if (order.method !== 'keptCard') return { type: 'failed', failure: ownFailure('generic') };
  const { data, error, lost } = await ports.providerB.registration(pledgeId);
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId }), ports);
  if (error) return stop(run, pledgeId, error);
  const { authorId, creditedWalletId } = data;
  return charge(run, { pledgeId, cardId: order.cardId, authorId, creditedWalletId });
}

/** Charges a card. Its bank may want to be asked on a page of its own. */
async function charge(run: Run, what: Omit<Charge, 'amount'>): Promise<FlowEvent> {
  const { order, ports, report } = run;
  const { pledgeId } = what;
  const { amount } = order.newPledge;
  const since = ports.now();
  ports.submissions.underWay({ pledgeId, amount, at: since });
  report({ type: 'cardCharged' });
  const { answer, event } = await charged(
    ports.providerB.charge({ ...what, amount: toCents(amount) }),
    paymentDoubt(run, undefined, { pledgeId, since }),
    ports,
  );
  if (event) return event;
  const { data, error, lost } = answer;
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId, since }), ports);
  if (error) {
    ports.submissions.settled(pledgeId);
    return stop(run, pledgeId, error);
  }
  return afterPayIn(run, pledgeId, data, since);
}

function afterPayIn(run: Run, pledgeId: string, payIn: PayIn, since: number): FlowEvent | Promise<FlowEvent> {
  const { ports } = run;
  const { Status: status, ResultCode: code, SecureModeNeeded: isAsked, SecureModeRedirectURL: url } = payIn;
  const ask = () => lookUp(paymentDoubt(run, noAnswer, { pledgeId, since }), ports);
  switch (status) {
    case 'SUCCEEDED':
      return code === succeeded ? { type: 'paid', pledgeId } : ask();
    case 'FAILED':
      ports.submissions.settled(pledgeId);
      return refused(run, resultOf(code), code);
    case 'CREATED':
      if (!isAsked || url === undefined) return ask();
      ports.leaveFor(url);
      return { type: 'pageOpened', url, isBank: true };
    default:
      return status satisfies never;
  }
}

/** What a refusal means for the card: another one, another try, or a field to correct. */
function refused({ order, ports }: Run, { reason, clearsCard }: Result, code: string | undefined): FlowEvent {
  const fault = fieldFaultOf(code);
  if (fault && order.method === 'ownCard') {
    ports.ownCard.show(fault);
    return { type: 'cardIncomplete' };
  }
  if (clearsCard && order.method === 'ownCard') ports.ownCard.clear();
  if (clearsCard && order.method === 'keptCard') ports.dropCard(order.cardId);
  return { type: 'failed', failure: ownFailure(reason) };
}
