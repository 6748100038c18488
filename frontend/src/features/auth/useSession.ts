import { useTranslation } from 'react-i18next';
import type { TokenAnswer } from '../../api/account';
import { startSession } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useNotify } from '../../ui/notify';

/** Returns the function that starts a session and shows a notice. */
export function useStartSession() {
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const { t } = useTranslation();
  return (answer: TokenAnswer, how: 'login' | 'registration') => {
    dispatch(startSession(answer));
    notify({ tone: 'success', title: t(`session.${how}Successful`) });
  };
}
