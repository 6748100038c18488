import { useTranslation } from 'react-i18next';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { askToSignIn } from '../../../ui/signInPrompt';

/** In place of what somebody sees of their payouts. */
export function SignIn() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  return (
    <EmptyState
      title={t('payouts.signIn')}
      action={
        <Button variant="light" onClick={() => dispatch(askToSignIn())}>
          {t('nav.signIn')}
        </Button>
      }
    />
  );
}
