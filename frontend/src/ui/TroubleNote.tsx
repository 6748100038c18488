import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router-dom';
import { Button } from './Button';
import { UnpluggedIcon } from './icons';
import classes from './TroubleNote.module.css';
import { useTroubles } from './useTroubles';

/** After so many failures with a working connection, the file has probably gone with an older version of the app. */
const isPerhapsNewVersion = (failures: number) => failures >= 3;

/** Says at the foot of the screen that a part or the next page could not be loaded. It is being retried meanwhile. */
export function TroubleNote() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);
  // Nobody waits any more for a page whose navigation was given up for another.
  const isOnTheWay = useNavigation().state === 'loading';
  const troubles = useTroubles().filter(({ of }) => of === 'part' || (of === 'page' && isOnTheWay));
  if (troubles.length === 0) return null;
  const isStubborn = isOnline && troubles.some(({ failures }) => isPerhapsNewVersion(failures));
  return (
    <div className={classes.root}>
      <div className={classes.words} role="status">
        <UnpluggedIcon className={classes.icon} />
        <p>
          <b className={classes.title}>{t(isOnline ? 'trouble.notLoaded' : 'trouble.offline')}</b>{' '}
          {t(isStubborn ? 'trouble.newVersion' : isOnline ? 'trouble.again' : 'trouble.whenOnline')}
        </p>
      </div>
      <div className={classes.acts}>
        <Button variant="outline" size="sm" onClick={() => troubles.forEach(({ retry }) => retry())}>
          {t('action.retry')}
        </Button>
        {isStubborn && (
          <Button size="sm" onClick={() => window.location.reload()}>
            {t('action.reload')}
          </Button>
        )}
      </div>
    </div>
  );
}

function watchConnection(onChange: () => void) {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
