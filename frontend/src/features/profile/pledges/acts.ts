import {
  own,
  useChangeChoiceMutation,
  useChangePledgeMutation,
  useWithdrawPledgeMutation,
  type PledgeChange,
  type PledgeChoice,
  type Raise,
} from '../../../api/own';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';

/** What the person of a pledge may do; each gives the error, if it was refused. */
export interface PledgeActs {
  change: (change: PledgeChange) => Promise<unknown>;
  /** Changes what the pledge is for; to a higher sum it gives the further charge that waits then. */
  choose: (choice: PledgeChoice) => Promise<{ error?: unknown; raise?: Raise | undefined }>;
  /** What is shown is read again. */
  reread: () => void;
  withdraw: () => Promise<unknown>;
}

/** The acts of the signed-in person. */
export function useOwnActs(pledgeId: string): PledgeActs {
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [change] = useChangePledgeMutation();
  const [choose] = useChangeChoiceMutation();
  const [withdraw] = useWithdrawPledgeMutation();
  return {
    change: async (pledgeChange) => (await change({ pledgeId, language, pledgeChange })).error,
    choose: async (pledgeChoice) => {
      const { data, error } = await choose({ pledgeId, language, pledgeChoice });
      return { error, raise: data?.pledge.choice.raise };
    },
    reread: () => void dispatch(own.util.invalidateTags(['OwnPledges', 'Own'])),
    withdraw: async () => (await withdraw({ pledgeId, language })).error,
  };
}
