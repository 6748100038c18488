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
