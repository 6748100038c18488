import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content.generated';
import { readNow } from '../../api/extra';
import { useLanguage } from '../../i18n';
import { formatDay } from '../../i18n/format';
import type { Method } from './flow/order';
import classes from './Timeline.module.css';
import { useAppDispatch } from './useAppDispatch';

export interface TimelineProps {
  campaign: Pick<Campaign, 'funding_rule' | 'last_day_of_funding'>;
  /** As the reader writes it. */
  sum: string;
  method: Method;
}

/** The way of the money: now, when the campaign closes, and if the goal is missed. */
export function Timeline({ campaign, sum, method }: TimelineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [today] = useState(() => dispatch(readNow()));
  const { funding_rule: rule, last_day_of_funding: lastDay } = campaign;
  return (
    <ol className={classes.root}>
      <li data-step="now">
        <p className={classes.when}>{t('pledge.timeline.today', { day: formatDay(language, today) })}</p>
        <p>{t(`pledge.timeline.charged.${method}`, { sum })}</p>
      </li>
      <li data-step="end">
        <p className={classes.when}>
          {lastDay
            ? t('pledge.timeline.ends', { day: formatDay(language, lastDay) })
            : t('pledge.timeline.endsSomeDay')}
        </p>
        <p>{t('pledge.timeline.reached')}</p>
      </li>
      <li data-step="missed">
        <p className={classes.when}>{t('pledge.timeline.ifMissed')}</p>
        <p>{t(`pledge.timeline.missed.${rule}`, { sum })}</p>
      </li>
    </ol>
  );
}
