import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from './ConfirmDialog';

export interface UnsavedGuardProps {
  /** The form holds what would be lost. */
  isOn: boolean;
}

/** Asks before a page with unsaved text is left: by the app's own question within it, by the browser's out of it. */
export function UnsavedGuard({ isOn }: UnsavedGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && currentLocation.pathname !== nextLocation.pathname,
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
      actLabel={t('form.leave')}
      stayLabel={t('form.stay')}
      onAct={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    >
      {t('form.leaveText')}
    </ConfirmDialog>
  );
}
