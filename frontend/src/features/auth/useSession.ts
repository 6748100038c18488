import { useTranslation } from 'react-i18next';
import type { TokenAnswer } from '../../api/content';
import { signedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useNotify } from '../../ui/notify';

/** Keeps a token answer as the session and says so. */
export function useStartSession() {
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const { t } = useTranslation();
  return (answer: TokenAnswer, how: 'login' | 'registration') => {
    const token = { string: answer.token.string, timestamp: Date.now() };
    dispatch(signedIn({ token, user: answer.user }));
    notify({ tone: 'success', title: t(`session.${how}Successful`) });
  };
}
