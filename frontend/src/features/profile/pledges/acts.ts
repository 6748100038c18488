import {
  useChangeChoiceMutation,
  useChangePledgeMutation,
  useWithdrawPledgeMutation,
  type PledgeChange,
  type PledgeChoice,
} from '../../../api/own';
import { useLanguage } from '../../../i18n';

/** What the person of a pledge may do; each gives the error, if it was refused. */
export interface PledgeActs {
  change: (change: PledgeChange) => Promise<unknown>;
  /** Changes what the pledge is for. */
  choose: (choice: PledgeChoice) => Promise<unknown>;
  withdraw: () => Promise<unknown>;
}

/** The acts of the signed-in person. */
export function useOwnActs(pledgeId: string): PledgeActs {
  const language = useLanguage();
  const [change] = useChangePledgeMutation();
  const [choose] = useChangeChoiceMutation();
  const [withdraw] = useWithdrawPledgeMutation();
  return {
    change: async (pledgeChange) => (await change({ pledgeId, language, pledgeChange })).error,
    choose: async (pledgeChoice) => (await choose({ pledgeId, language, pledgeChoice })).error,
    withdraw: async () => (await withdraw({ pledgeId, language })).error,
  };
}
