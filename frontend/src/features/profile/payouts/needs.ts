import type { Payee } from '../../../api/payees';

/** What is missing of an account. */
export type Need = Payee['needs'][number];

/** Whether a need is met by its person at the partner's page. The others the partner writes about. */
export const canDo = ({ code }: Need) => code !== 'blocked_inflows' && code !== 'blocked_outflows';
