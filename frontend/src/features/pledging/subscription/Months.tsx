import { useTranslation } from 'react-i18next';
import type { Subscription } from '../../../api/subscriptionPayments';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { CheckIcon, CloseIcon } from '../../../ui/icons';
import classes from './Months.module.css';

/** Twelve months as nodes: those that are paid, the next one and those to come. */
export function Months({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { months, currency, held } = subscription;
  if (months.length === 0) return null;
  return (
    <ol className={classes.root} aria-label={t('subscription.months.label')}>
      {months.map(({ period, day, state, amount_minor: minor }) => (
        <li
          key={period}
          className={classes.month}
          data-state={state}
          aria-current={state === 'next' ? 'step' : undefined}
        >
          <span className={classes.node} aria-hidden="true">
            {state === 'paid' && <CheckIcon size={16} />}
            {state === 'failed' && <CloseIcon size={16} />}
            {state === 'skipped' && '–'}
          </span>
          <span className={classes.name}>
            <span aria-hidden="true">{formatMonthName(language, day, 'short')}</span>
            <span className="tk-visually-hidden">{formatMonthName(language, day)}</span>
          </span>{' '}
          <span className={classes.amount}>
            {state === 'skipped'
              ? t('subscription.months.skipped')
              : formatMoney(language, minor / 100, { cents: minor % 100 !== 0, currency })}
            {state !== 'skipped' && (
              <span className="tk-visually-hidden">
                , {t(`subscription.months.${period === held?.period ? 'held' : state}`)}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
