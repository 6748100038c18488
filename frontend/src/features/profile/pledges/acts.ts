import { useChangePledgeMutation, useWithdrawPledgeMutation, type PledgeChange } from '../../../api/own';
import { useLanguage } from '../../../i18n';

/** What the person of a pledge may do; each gives the error, if it was refused. */
export interface PledgeActs {
  change: (change: PledgeChange) => Promise<unknown>;
  withdraw: () => Promise<unknown>;
}

/** The acts of the signed-in person. */
export function useOwnActs(pledgeId: string): PledgeActs {
  const language = useLanguage();
  const [change] = useChangePledgeMutation();
  const [withdraw] = useWithdrawPledgeMutation();
  return {
    change: async (pledgeChange) => (await change({ pledgeId, language, pledgeChange })).error,
    withdraw: async () => (await withdraw({ pledgeId, language })).error,
  };
}
