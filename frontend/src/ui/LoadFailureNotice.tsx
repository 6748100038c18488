import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router-dom';
import { Button } from './Button';
import { FootNotice } from './FootNotice';
import { UnpluggedIcon } from './icons';
import { useIsOnline } from './useIsOnline';
import { useLoadFailures } from './useLoadFailures';

/** After this many failures while online, a deploy has probably replaced the file, and only a reload helps. */
const failuresBeforeReload = 3;

/** A notice at the bottom of the screen while a page or an overlay cannot be loaded and is being retried. */
export function LoadFailureNotice() {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  // When a navigation has been abandoned, the failed load of its page no longer matters.
  const isNavigating = useNavigation().state === 'loading';
  const loadFailures = useLoadFailures().filter(
    ({ kind }) => kind === 'overlay' || (kind === 'page' && isNavigating),
  );
  if (loadFailures.length === 0) return null;
  const needsReload = isOnline && loadFailures.some(({ failures }) => failures >= failuresBeforeReload);
  return (
    <FootNotice
      icon={<UnpluggedIcon />}
      isFailure
      title={t(isOnline ? 'loadFailure.notLoaded' : 'loadFailure.offline')}
      acts={
        <>
          <Button variant="outline" size="sm" onClick={() => loadFailures.forEach(({ retry }) => retry())}>
            {t('action.retry')}
          </Button>
          {needsReload && (
            <Button size="sm" onClick={() => window.location.reload()}>
              {t('action.reload')}
            </Button>
          )}
        </>
      }
    >
      {t(needsReload ? 'loadFailure.newVersion' : isOnline ? 'loadFailure.again' : 'loadFailure.whenOnline')}
    </FootNotice>
  );
}
