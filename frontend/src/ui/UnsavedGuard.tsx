import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from './ConfirmDialog';

export interface UnsavedGuardProps {
  /** The form has unsaved changes. */
  isOn: boolean;
}

/** Navigation state of whoever has been asked already, by the dialog for signing out. */
export interface LeaveState {
  isAskedAlready?: boolean;
}

/**
 * Asks before unsaved changes are lost: with a dialog on navigation within the app, with the browser's own prompt when
 * the page is closed or reloaded.
 */
export function UnsavedGuard({ isOn }: UnsavedGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isOn && from.pathname !== to.pathname && !(to.state as LeaveState | null)?.isAskedAlready,
  );
  useEffect(() => {
    if (!isOn) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isOn]);
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={t('form.leaveTitle')}
      confirmLabel={t('form.leave')}
      cancelLabel={t('form.stay')}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {t('form.leaveText')}
    </ConfirmDialog>
  );
}
