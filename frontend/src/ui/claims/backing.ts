import {
  useActOnOpenedClaimMutation,
  useActOnOwnClaimMutation,
  useOpenedClaimQuery,
  useOwnClaimQuery,
  type OwnClaimAct,
} from '../../api/claims';

/** Whose pledge: the signed-in person's, or that of a mailed link. */
export type Backing = { pledgeId: string } | { token: string };

/** An act of the backer, but for its key. */
export type Wish = Omit<OwnClaimAct, 'key'>;

/** The claim about a pledge, and the call that takes its next step, which gives the error if it was not done. */
export function useBackersClaim(of: Backing) {
  const pledgeId = 'pledgeId' in of ? of.pledgeId : '';
  const token = 'token' in of ? of.token : '';
  const own = useOwnClaimQuery({ pledgeId }, { skip: !pledgeId });
  const opened = useOpenedClaimQuery({ receiptLink: { token } }, { skip: !token });
  const [actOnOwn] = useActOnOwnClaimMutation();
  const [actOnOpened] = useActOnOpenedClaimMutation();
  const act = async (wish: Wish, key: string): Promise<unknown> => {
    const ownClaimAct = { ...wish, key };
    const { error } = token
      ? await actOnOpened({ openedClaimAct: { token, act: ownClaimAct } })
      : await actOnOwn({ pledgeId, ownClaimAct });
    return error;
  };
  return { call: token ? opened : own, act };
}
