import { useTranslation } from 'react-i18next';
import type { CampaignHold } from '../../api/content';
import { useLanguage } from '../../i18n';
import { formatDate } from '../../i18n/format';
import { HandIcon, PauseIcon } from '../holdIcons';
import classes from './ModeBar.module.css';

/** In the mode bar of a campaign that is on hold or was stopped: since when and why. Nothing for any other. */
export function HoldNote({ held }: { held?: CampaignHold }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!held) return null;
  const isStopped = held.kind === 'stopped';
  return (
    <p className={classes.hold}>
      {isStopped ? <HandIcon size={16} /> : <PauseIcon size={16} />}
      <span>
        <b>{t(isStopped ? 'hold.sinceStopped' : 'hold.since', { day: formatDate(language, held.since) })}</b>{' '}
        {held.sentence ?? t(`hold.${isStopped ? 'stoppedReason' : 'reason'}.${held.reason}`)}{' '}
        {t(isStopped ? 'hold.nothingNew' : 'hold.nothing')}
      </span>
    </p>
  );
}
