import type { Payee } from '../../../api/payees';

/** What is missing of an account. */
export type Need = Payee['needs'][number];

const others: readonly Need['code'][] = [
  'blocked_inflows',
  'blocked_outflows',
  'review',
  'rejected',
  'support',
];

/** Whether a need is met by its person at the partner's page. About the others the partner or we write. */
export const canDo = ({ code }: Need) => !others.includes(code);

/** Whether the partner does not take the person at all. */
export const isRejected = ({ needs }: Payee) => needs.some(({ code }) => code === 'rejected');

/** Whether a bank account can be given for an account: at the other provider its person gives it on the partner's page. */
export const takesBank = ({ provider, state }: Payee) =>
  provider === 'mangopay' && (state === 'ready' || state === 'restricted');

/** Whether a bank account waits for its owner, or for what the partner has made of it. */
export const isBankOpen = ({ banks }: Payee) =>
  banks?.some(({ state }) => state === 'asking' || state === 'pending') ?? false;

/** Whether nothing but a bank account is missing. */
export const lacksBank = (payee: Payee) =>
  takesBank(payee) &&
  payee.state === 'ready' &&
  payee.needs.length === 0 &&
  !(payee.banks?.some(({ state }) => state === 'active') ?? false);
