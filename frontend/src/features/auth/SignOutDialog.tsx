import { useTranslation } from 'react-i18next';
import { signOut } from '../../api/signOut';
import { useAppDispatch } from '../../api/useAppDispatch';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useOpenedAfterMount } from '../../ui/useOpenedAfterMount';

export interface SignOutDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called before the session ends. */
  onDone: () => void;
}

/** Asks before signing out: when something is not saved, and when a link has asked for it. */
export function SignOutDialog({ isOpen, onClose, onDone }: SignOutDialogProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  return (
    <ConfirmDialog
      isOpen={useOpenedAfterMount(isOpen)}
      title={t('auth.signOut.title')}
      confirmLabel={t('nav.signOut')}
      cancelLabel={t('auth.signOut.stay')}
      onCancel={onClose}
      onConfirm={() => {
        onDone();
        void dispatch(signOut());
      }}
    >
      {t('auth.signOut.text')}
    </ConfirmDialog>
  );
}
