import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import { readNow } from '../../api/extra';
import { useLanguage } from '../../i18n';
import { dayAfterMonths } from '../../domain/monthly';
import { formatDayOfMonth } from '../../i18n/dayOfMonth';
import { formatDay, platformDay } from '../../i18n/format';
import { moneyTexts } from '../../i18n/moneyTexts';
import { debitSpan } from './bank/debitDays';
import type { Method } from './methods';
import classes from './Timeline.module.css';
import { useAppDispatch } from '../../api/useAppDispatch';

export interface TimelineProps {
  campaign: Campaign;
  hasReward: boolean;
  /** Formatted. */
  sum: string;
  /** Empty: not chosen yet. */
  method: Method | '';
  /** YYYY-MM-DD. */
  today: string;
}

/** What happens to the money: today, at the end of the campaign, and if the goal is missed. */
export function Timeline({ campaign, hasReward, sum, method, today }: TimelineProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { last_day_of_funding: lastDay } = campaign;
  const isDebit = method === 'bank';
  const words = moneyTexts(campaign, { t, language, hasReward });
  return (
    <ol className={classes.root}>
      <li data-step="now">
        <p className={classes.when}>{t('pledge.timeline.today', { day: formatDay(language, today) })}</p>
        <p>{t(`pledge.timeline.charged.${method || 'unchosen'}`, { sum })}</p>
      </li>
      {isDebit && (
        <li data-step="end">
          <p className={classes.when}>{t('pledge.bank.leaves', { days: debitSpan(language, today), sum })}</p>
          <p>{t('pledge.bank.leavesText')}</p>
        </li>
      )}
      <li data-step="end">
        <p className={classes.when}>
          {lastDay
            ? t('pledge.timeline.ends', { day: formatDay(language, lastDay) })
            : t('pledge.timeline.endsSomeDay')}
        </p>
        <p>{words.atEnd}</p>
        {isDebit && <p>{t('pledge.bank.atEnd')}</p>}
      </li>
      {words.missed && (
        <li data-step="missed">
          <p className={classes.when}>{t('money.ifMissed')}</p>
          <p>{isDebit ? t('pledge.bank.missed', { sum }) : words.missed(sum)}</p>
        </li>
      )}
    </ol>
  );
}

/** What happens to the money of monthly support: today, on the same day of each month, and that it may be stopped. */
export function MonthlyTimeline({ sum }: Pick<TimelineProps, 'sum'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [now] = useState(() => dispatch(readNow()));
  const today = platformDay(now);
  return (
    <ol className={classes.root}>
      <li data-step="now">
        <p className={classes.when}>{t('pledge.timeline.today', { day: formatDay(language, now) })}</p>
        <p>{t('pledge.timeline.charged.card', { sum })}</p>
      </li>
      <li data-step="end">
        <p className={classes.when}>
          {t('pledge.monthly.then', {
            day: formatDay(language, dayAfterMonths(today, 1)),
            dayOfMonth: formatDayOfMonth(language, today),
          })}
        </p>
        <p>{t('pledge.monthly.thenText', { sum })}</p>
      </li>
      <li data-step="missed">
        <p className={classes.when}>{t('pledge.monthly.whenever')}</p>
        <p>{t('pledge.monthly.wheneverText')}</p>
      </li>
    </ol>
  );
}
