import { useTranslation } from 'react-i18next';
import { useNow } from '../useNow';
import classes from './Claims.module.css';
import { daysLeft } from './days';

interface ClockProps {
  from: string;
  dueAt: string;
  /** What follows the days, with the date in words. */
  children: string;
}

/** Days left with a pip a day, filled as days pass. */
export function Clock({ from, dueAt, children }: ClockProps) {
  const { t } = useTranslation();
  const { left, total } = daysLeft(from, dueAt, useNow());
  return (
    <div className={classes.clock}>
      <b className={classes.days}>
        {left > 0 ? t('claims.clock.days', { count: left }) : t('claims.clock.last')}
      </b>
      <div>
        <span
          role="img"
          aria-label={t('claims.clock.pips', { passed: total - left, total })}
          className={classes.pips}
        >
          {Array.from({ length: total }, (_, pip) => (
            <span key={pip} data-passed={pip < total - left || undefined} />
          ))}
        </span>
        <p className={classes.small}>{children}</p>
      </div>
    </div>
  );
}
