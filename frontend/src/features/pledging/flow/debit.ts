import { charged } from './charged';
import { ownFailure } from './failures';
import { lookUp } from './lookUp';
import type { FlowEvent } from './machine';
import type { Answer } from './answer';
import { resultOf } from './results';
import { paymentDoubt, type Run } from './run';
import { stop } from './stop';

/**
 * Debits an account: one that was typed is made known to the provider, its holder lets it be debited on the provider's page,
 * unless that was done before, and comes back to the return page, which debits it.
 */
export async function debit(run: Run, pledgeId: string): Promise<FlowEvent> {
  const { ports, report } = run;
  report({ type: 'paymentAsked', pledgeId });
  const account = await accountOf(run, pledgeId);
  if ('event' in account) return account.event;
  const asked = await ports.providerB.mandate(pledgeId, account.id);
  if (!asked.data) return endOf(run, pledgeId, asked);
  const { Id: mandateId, Status: status, RedirectURL: url } = asked.data;
  switch (status) {
    case 'CREATED':
      if (url === undefined) return { type: 'failed', failure: ownFailure('mandate_not_confirmed') };
      ports.leaveFor(url);
      return { type: 'pageOpened', url, isBank: true };
    case 'SUBMITTED':
    case 'ACTIVE':
      return take(run, pledgeId, mandateId);
    case 'FAILED':
    case 'EXPIRED':
      return { type: 'failed', failure: ownFailure('mandate_not_confirmed') };
    default:
      return status satisfies never;
  }
}

const generic: FlowEvent = { type: 'failed', failure: ownFailure('generic') };

/** The account to be debited, or why the submission ends here. */
async function accountOf(run: Run, pledgeId: string): Promise<{ id: string } | { event: FlowEvent }> {
  const { order, ports } = run;
  if (order.method !== 'bank') return { event: generic };
  const { account } = order;
  if (account?.kind === 'known') return { id: account.id };
  if (account?.kind === 'new') {
    const added = await ports.providerB.addAccount(pledgeId, account.account);
    return added.data ? { id: added.data.Id } : { event: await endOf(run, pledgeId, added) };
  }
  // Which accounts there are is known only once there is a pledge: now they are shown, and one of them is chosen.
  const found = await ports.providerB.accounts(pledgeId);
  if (!found.data) return { event: await endOf(run, pledgeId, found) };
  return {
    event: { type: 'failed', failure: ownFailure(found.data.length > 0 ? 'choose_account' : 'no_account') },
  };
}

type NotDone = Exclude<Answer<unknown>, { error?: undefined; lost?: undefined }>;

/** The event of a call that was refused, or not answered. */
async function endOf(run: Run, pledgeId: string, { error, lost }: NotDone): Promise<FlowEvent> {
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId }), run.ports);
  return stop(run, pledgeId, error);
}

async function take(run: Run, pledgeId: string, mandateId: string): Promise<FlowEvent> {
  const { order, ports, report } = run;
  const since = ports.now();
  ports.submissions.underWay({ pledgeId, amount: order.newPledge.amount, at: since });
  report({ type: 'cardCharged' });
  const { answer, event } = await charged(
    ports.providerB.debit(pledgeId, mandateId),
    paymentDoubt(run, undefined, { pledgeId, since }),
    ports,
  );
  if (event) return event.type === 'paid' ? { ...event, isDebit: true } : event;
  const { data, error, lost } = answer;
  if (lost) return lookUp(paymentDoubt(run, lost, { pledgeId, since }), ports);
  if (error) {
    ports.submissions.settled(pledgeId);
    return stop(run, pledgeId, error);
  }
  const { Status: status, ResultCode: code } = data;
  switch (status) {
    // The bank takes days to say more.
    case 'CREATED':
    case 'SUCCEEDED':
      return { type: 'paid', pledgeId, isDebit: true };
    case 'FAILED':
      ports.submissions.settled(pledgeId);
      return { type: 'failed', failure: ownFailure(resultOf(code).reason) };
    default:
      return status satisfies never;
  }
}
