import { useTranslation } from 'react-i18next';
import type { OverviewNextMonth } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { formatMonthName } from '../../i18n/months';
import classes from './NextMonth.module.css';
import part from './Part.module.css';

export interface NextMonthProps {
  nextMonth: OverviewNextMonth;
  currency: string;
}

/** What the creator can plan on next month, and whose support is not sure, with the reason. */
export function NextMonth({ nextMonth, currency }: NextMonthProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const { month, supporters, amount, unsure } = nextMonth;
  return (
    <section aria-labelledby="overview-next-month">
      <h2 id="overview-next-month" className={part.sideHead}>
        {t('overview.monthly.next', { month: formatMonthName(language, month) })}
      </h2>
      <p className={classes.amount}>{money(amount)}</p>
      <p className={classes.quiet}>{t('overview.monthly.sure', { count: supporters })}</p>
      {unsure.length > 0 && (
        <ul className={part.list}>
          {order
            .flatMap((reason) => unsure.filter((one) => one.reason === reason))
            .map((one) => (
              <li key={one.reason} className={classes.row}>
                <span>
                  {t(`overview.monthly.unsure.${one.reason}.what`, { count: one.supporters })}
                  <br />
                  <span className="tk-small">{t(`overview.monthly.unsure.${one.reason}.why`)}</span>
                </span>
                <b>{money(one.amount)}</b>
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}

/** What fails unless somebody acts comes first. */
const order = ['charge_failing', 'past_due', 'card_expiring', 'paused', 'ending'] as const;
