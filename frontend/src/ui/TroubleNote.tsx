import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router-dom';
import { Button } from './Button';
import { UnpluggedIcon } from './icons';
import classes from './TroubleNote.module.css';
import { useTroubles } from './useTroubles';

/** After so many failures with a connection, what is asked for may be of a version that is no longer there. */
const isPerhapsNewVersion = (failures: number) => failures >= 3;

/** Says at the foot of the screen that a part or the next page has not come. It is asked for again meanwhile. */
export function TroubleNote() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine);
  // A page that somebody waited for and then left for another is nobody's trouble.
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
