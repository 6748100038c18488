import { useTranslation } from 'react-i18next';
import type { MoneyCalendarAnswer } from '../../../api/subscriptions';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatMonth } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import classes from './MoneyCalendar.module.css';
import { monthAfter, readMonth } from './months';

const before = 2;
const shown = 8;

/** The months around this one as bars, those of each currency by themselves. */
export function Bars({ calendar: { supports, today } }: { calendar: MoneyCalendarAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const currencies = [...new Set(supports.map(({ currency }) => currency))].sort();
  const months = Array.from({ length: shown }, (_, place) =>
    readMonth(supports, monthAfter(today.slice(0, 7), place - before)),
  );
  return (
    <section aria-label={t('moneyCalendar.months')}>
      {currencies.map((currency) => {
        const sums = months.map(({ month: one, sums: all }) => ({
          month: one,
          charged: 0,
          coming: 0,
          ...all.find((sum) => sum.currency === currency),
        }));
        const most = Math.max(...sums.map(({ charged, coming }) => charged + coming), 1);
        return (
          <ol key={currency} className={classes.bars}>
            {sums.map(({ month: one, charged, coming }) => {
              const sum = charged + coming;
              const text = formatMoney(language, sum, { cents: sum % 1 !== 0, currency });
              return (
                <li key={one} className={classes.bar}>
                  <span className={classes.column} aria-hidden="true">
                    <span
                      className={classes.coming}
                      style={{ height: `${String((coming / most) * 100)}%` }}
                    />
                    <span
                      className={classes.charged}
                      style={{ height: `${String((charged / most) * 100)}%` }}
                    />
                  </span>
                  <span className={classes.name} data-now={one === today.slice(0, 7) || undefined}>
                    <span aria-hidden="true">{formatMonthName(language, `${one}-01`, 'short')}</span>
                    <span className="tk-visually-hidden">{formatMonth(language, one)}</span>
                  </span>{' '}
                  <span className={classes.sum}>{text}</span>
                </li>
              );
            })}
          </ol>
        );
      })}
      <ul className={classes.legend} aria-hidden="true">
        <li data-kind="charged">{t('moneyCalendar.charged')}</li>
        <li data-kind="coming">{t('moneyCalendar.coming')}</li>
      </ul>
    </section>
  );
}
