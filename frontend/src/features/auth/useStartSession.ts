import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { TokenAnswer } from '../../api/account';
import { startSession } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { useNotify } from '../../ui/notify';
import { securityPath } from '../../domain/securityPath';

/**
 * Returns the function that starts a session and shows a notice. Staff who have signed in with a password alone are told
 * that their rights take a second step.
 */
export function useStartSession() {
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const navigate = useNavigate();
  const language = useLanguage();
  const { t } = useTranslation();
  return (answer: TokenAnswer, how: 'login' | 'registration') => {
    dispatch(startSession(answer));
    if (answer.user.second_step_missing) {
      notify({
        tone: 'info',
        title: t('auth.staffTitle'),
        text: t('auth.staffText'),
        action: { label: t('auth.staffAction'), run: () => void navigate(securityPath(language)) },
      });
    } else notify({ tone: 'success', title: t(`session.${how}Successful`) });
  };
}
