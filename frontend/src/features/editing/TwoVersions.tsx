import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n';
import { formatTime } from '../../i18n/format';
import { Button } from '../../ui/Button';
import classes from './TwoVersions.module.css';

export interface TwoVersionsProps {
  /** The name of the part, where the page does not show it. */
  part?: string;
  /** The name of the other person; empty if unknown. */
  who: string;
  /** When they saved their version, RFC 3339; undefined if unknown. */
  at?: string;
  mine: ReactNode;
  theirs: ReactNode;
  onKeepMine: () => void;
  onKeepTheirs: () => void;
}

/** An edit conflict: shows both people's versions side by side and asks which one to keep. */
export function TwoVersions({ part, who, at, mine, theirs, onKeepMine, onKeepTheirs }: TwoVersionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const time = at && formatTime(language, at);
  return (
    <section className={classes.root} role="alert" aria-label={t('editing.conflict')}>
      {part && <p className={classes.part}>{t('editing.inPart', { part })}</p>}
      <p className={classes.question}>
        {time === undefined
          ? t('editing.changedMeanwhile')
          : who
            ? t('editing.changedBy', { who, time })
            : t('editing.changedBySomebody', { time })}
      </p>
      <div className={classes.versions}>
        <div className={classes.version}>
          <h2 className={classes.name}>{t('editing.mine')}</h2>
          <div className={classes.text}>{mine}</div>
          <Button size="sm" onClick={onKeepMine}>
            {t('editing.keepMine')}
          </Button>
        </div>
        <div className={classes.version}>
          <h2 className={classes.name}>{who || t('editing.theirs')}</h2>
          <div className={classes.text}>{theirs}</div>
          <Button size="sm" variant="outline" onClick={onKeepTheirs}>
            {t('editing.keepTheirs')}
          </Button>
        </div>
      </div>
    </section>
  );
}
