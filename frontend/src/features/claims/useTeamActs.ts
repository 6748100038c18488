import { isApiError } from '../../api/apiError';
import { useAppDispatch } from '../../api/useAppDispatch';
import type { ClaimAct } from '../../api/claims';
import { askToConfirm } from '../../ui/confirmPrompt';
import { askToSignIn } from '../../ui/signInPrompt';
import { useActing } from '../../ui/claims/useActing';

/** A claim's answer, but for its key and the version that it is about. */
export type TeamWish = Omit<ClaimAct, 'key' | 'version'>;

/** Acts that may take a fresh proof of who is signed in: they are asked for it when the call wants it, and it is made again. */
export function useTeamActs(about: string, version?: number) {
  const dispatch = useAppDispatch();
  const acting = useActing(about, version);
  const act = (wish: object, call: (key: string) => Promise<{ error?: unknown }>) =>
    acting.act(wish, async (key) => {
      const { error } = await call(key);
      if (isApiError(error) && error.http === 401) dispatch(askToSignIn());
      if (!isApiError(error) || error.status !== 'confirmation_required') return error;
      return (await dispatch(askToConfirm())) ? (await call(key)).error : error;
    });
  return { ...acting, act };
}
