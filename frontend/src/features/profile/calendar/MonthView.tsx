import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CalendarSupport } from '../../../api/subscriptions';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatMoney, formatMonth, formatWeekday, locales } from '../../../i18n/format';
import { Chip } from '../../../ui/Chip';
import { IconButton } from '../../../ui/IconButton';
import { ArrowLeftIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import calendar from './MoneyCalendar.module.css';
import classes from './MonthView.module.css';
import { monthAfter, readMonth, type Entry } from './months';
import { useSumText } from './useSumText';

const back = 11;
const ahead = 11;

export interface MonthViewProps {
  supports: readonly CalendarSupport[];
  today: string;
  month: string;
  onMonth: (month: string) => void;
}

/** One month: its days, and the charges as a list with their sum. */
export function MonthView({ supports, today, month, onMonth }: MonthViewProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sumText = useSumText();
  const { entries, sums } = readMonth(supports, month);
  const now = today.slice(0, 7);
  const name = formatMonth(language, month);
  return (
    <section aria-labelledby="month" className={calendar.month}>
      <div className={classes.monthHead}>
        <h2 id="month" aria-live="polite">
          {capital(name)}
        </h2>
        <div>
          <IconButton
            look="ring"
            className={classes.arrow}
            icon={<ArrowLeftIcon size={16} />}
            label={t('moneyCalendar.previous')}
            disabled={month <= monthAfter(now, -back)}
            onClick={() => onMonth(monthAfter(month, -1))}
          />
          <IconButton
            look="ring"
            className={classes.arrow}
            icon={<ArrowLeftIcon size={16} className={classes.turned} />}
            label={t('moneyCalendar.next')}
            disabled={month >= monthAfter(now, ahead)}
            onClick={() => onMonth(monthAfter(month, 1))}
          />
        </div>
      </div>
      <Days month={month} entries={entries} />
      <ul className={classes.list}>
        {entries.map((entry) => (
          <Row key={`${entry.support.subscription_id} ${entry.period} ${entry.day}`} entry={entry} />
        ))}
      </ul>
      {entries.length === 0 ? (
        <p className={classes.nothing}>{t('moneyCalendar.nothing')}</p>
      ) : (
        <p className={classes.total}>
          <span>
            {capital(t('moneyCalendar.total', { month: name }))}{' '}
            {sums.some(({ waiting }) => waiting > 0) && (
              <span className={classes.waits}>
                {t('moneyCalendar.waitingTotal', { sum: sumText(sums, 'waiting') })}
              </span>
            )}
            {sums.some(({ held }) => held > 0) && (
              <span className={classes.waits}>
                {t('spendingLimit.heldTotal', { sum: sumText(sums, 'held') })}
              </span>
            )}
          </span>
          <span className={calendar.totalSum}>{sumText(sums)}</span>
        </p>
      )}
    </section>
  );
}

/** The days of a month, the ones with money raised. The list below says the same in words. */
function Days({ month, entries }: { month: string; entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [year = 0, one = 1] = month.split('-').map(Number);
  const first = (new Date(Date.UTC(year, one - 1, 1)).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, one, 0)).getUTCDate();
  const weekdays = Array.from({ length: 7 }, (_, place) =>
    new Intl.DateTimeFormat(locales[language], { weekday: 'short', timeZone: 'UTC' }).format(
      new Date(Date.UTC(2026, 5, place + 1)),
    ),
  );
  const after = (7 - ((first + count) % 7)) % 7;
  return (
    <div className={classes.days} aria-hidden="true">
      {weekdays.map((day) => (
        <span key={day} className={classes.weekday}>
          {day}
        </span>
      ))}
      {Array.from({ length: first }, (_, place) => (
        <span key={`before ${String(place)}`} data-kind="outside" />
      ))}
      {Array.from({ length: count }, (_, place) => {
        const day = `${month}-${String(place + 1).padStart(2, '0')}`;
        const ofDay = entries.filter((entry) => entry.day === day);
        return (
          <span key={day} data-kind={ofDay.length > 0 ? 'money' : 'day'}>
            {place + 1}
            {ofDay.map(({ support, amount, state, period }) => (
              <span key={`${support.subscription_id} ${period}`} className={classes.onDay} data-state={state}>
                <Picture
                  name={support.campaign.project_pic}
                  alt=""
                  ratio={1}
                  widths={[48, 96]}
                  sizes="1.5rem"
                  shape="thumb"
                />
                {formatMoney(language, amount, { cents: amount % 1 !== 0, currency: support.currency })}
                {state === 'held' && (
                  <span className={classes.chip}>
                    <Chip tone="cloud">{t('spendingLimit.heldShort')}</Chip>
                  </span>
                )}
              </span>
            ))}
          </span>
        );
      })}
      {Array.from({ length: after }, (_, place) => (
        <span key={`after ${String(place)}`} data-kind="outside" />
      ))}
    </div>
  );
}

function Row({ entry: { support, day, amount, state, isRetry } }: { entry: Entry }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign, currency, payment_method: method } = support;
  return (
    <li className={classes.row}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={60 / 38}
        widths={[60, 120]}
        sizes="3.75rem"
        shape="thumb"
      />
      <div>
        <h3 className={classes.campaign}>{campaign.title}</h3>
        <p className={calendar.facts}>
          {state === 'moved' && support.next_try_on !== undefined
            ? t('moneyCalendar.triedAgain', {
                day: formatWeekday(language, day),
                next: formatWeekday(language, support.next_try_on),
              })
            : method
              ? t('moneyCalendar.dayOf', { day: formatWeekday(language, day), method })
              : formatWeekday(language, day)}
        </p>
      </div>
      <div className={classes.amount}>
        {state === 'returned' && <Chip tone="plain">{t('moneyCalendar.returned')}</Chip>}
        {state === 'waiting' && <Chip tone="cloud">{t('moneyCalendar.waiting')}</Chip>}
        {state === 'moved' && <Chip tone="plain">{t('moneyCalendar.waiting')}</Chip>}
        {isRetry && <Chip tone="cloud">{t('moneyCalendar.retry')}</Chip>}
        {state === 'held' && <Chip tone="cloud">{t('spendingLimit.held')}</Chip>}
        {/* It is counted on the day of the next try. */}
        {state !== 'moved' && <span>{formatMoney(language, amount, { cents: true, currency })}</span>}
      </div>
      <Link
        to={paths.subscription(language, support.subscription_id)}
        aria-label={t('moneyCalendar.changeOf', { campaign: campaign.title })}
        className={classes.change}
      >
        {t('moneyCalendar.change')}
      </Link>
    </li>
  );
}
