import { useTranslation } from 'react-i18next';
import type { CalendarSupport, SpendingLimit } from '../../../api/subscriptions';
import { fromCents, toCents } from '../../../domain/amounts';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatMonth } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import classes from './Bars.module.css';
import { inLimit } from './crossing';
import { monthAfter, readMonth, type Month } from './months';

const before = 2;
const shown = 8;
/** The line's name is as wide as this many bars on a phone. */
const underName = 3;

export interface BarsProps {
  supports: readonly CalendarSupport[];
  today: string;
  limits: readonly SpendingLimit[];
}

/** The months around this one as bars, those of each currency by themselves, with the spending limit as a line. */
export function Bars({ supports, today, limits }: BarsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const currencies = [...new Set(supports.map(({ currency }) => currency))].sort();
  const months = Array.from({ length: shown }, (_, place) =>
    readMonth(supports, monthAfter(today.slice(0, 7), place - before)),
  );
  const counted = inLimit(supports);
  const drawn = limits.filter(({ currency }) => currencies.includes(currency));
  const has = (part: 'waiting' | 'held') => months.some(({ sums }) => sums.some((one) => one[part] > 0));
  return (
    <section aria-label={t('moneyCalendar.months')}>
      {currencies.map((currency) => {
        const limit = limits.find((one) => one.currency === currency)?.amount;
        const sums = months.map(({ month: one, sums: all }) => {
          const of = sumIn(all, currency);
          return { ...of, month: one, ofLimit: sumIn(readMonth(counted, one).sums, currency).sum };
        });
        const most = Math.max(...sums.map(({ sum }) => sum), limit ?? 0, 1);
        // The name is never over a bar: it is above all of them where one below it crosses the line.
        const isCrowded = sums.slice(0, underName).some(({ sum }) => sum > (limit ?? most));
        const share = (sum: number) => `${String((sum / most) * 100)}%`;
        const money = (sum: number) => formatMoney(language, sum, { cents: sum % 1 !== 0, currency });
        return (
          <div key={currency} className={classes.chart}>
            {limit !== undefined && (
              <p className={classes.limit}>
                <span className={classes.lineName} style={{ bottom: isCrowded ? '100%' : share(limit) }}>
                  {t('spendingLimit.line', { limit: money(limit) })}
                </span>
                <span className={classes.line} style={{ bottom: share(limit) }} />
              </p>
            )}
            <ol className={classes.bars}>
              {sums.map(({ month: one, charged, coming, waiting, held, sum, ofLimit }) => (
                <li key={one} className={classes.bar}>
                  <span className={classes.column} aria-hidden="true">
                    {held > 0 && <span className={classes.held} style={{ height: share(held) }} />}
                    <span className={classes.coming} style={{ height: share(coming) }} />
                    {waiting > 0 && <span className={classes.waiting} style={{ height: share(waiting) }} />}
                    <span className={classes.charged} style={{ height: share(charged) }} />
                  </span>
                  <span className={classes.name} data-now={one === today.slice(0, 7) || undefined}>
                    <span aria-hidden="true">{formatMonthName(language, `${one}-01`, 'short')}</span>
                    <span className="tk-visually-hidden">{formatMonth(language, one)}</span>
                  </span>{' '}
                  <span className={classes.sum}>{money(sum)}</span>
                  {limit !== undefined && ofLimit > limit && (
                    <span className="tk-visually-hidden">, {t('spendingLimit.over')}</span>
                  )}
                </li>
              ))}
            </ol>
          </div>
        );
      })}
      <ul className={classes.legend} aria-hidden="true">
        <li data-kind="charged">{t('moneyCalendar.charged')}</li>
        <li data-kind="coming">{t('moneyCalendar.coming')}</li>
        {has('waiting') && <li data-kind="waiting">{t('moneyCalendar.waiting')}</li>}
        {has('held') && <li data-kind="held">{t('spendingLimit.held')}</li>}
        {drawn.length > 0 && <li data-kind="limit">{t('spendingLimit.legend')}</li>}
      </ul>
      {drawn.some(({ counts_pledges: countsPledges }) => countsPledges) && (
        <p className={classes.note}>{t('spendingLimit.pledgesToo')}</p>
      )}
      {supports.some(
        (one) => !one.is_in_limit && drawn.some(({ currency }) => currency === one.currency),
      ) && <p className={classes.note}>{t('spendingLimit.notCounted')}</p>}
    </section>
  );
}

function sumIn(sums: Month['sums'], currency: string) {
  const { charged, coming, waiting, held } = sums.find((one) => one.currency === currency) ?? nothing;
  const cents = [charged, coming, waiting, held].reduce((sum, one) => sum + toCents(one), 0);
  return { charged, coming, waiting, held, sum: fromCents(cents) };
}

const nothing = { charged: 0, coming: 0, waiting: 0, held: 0 };
