import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DeskWarning } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatAgo } from '../../../i18n/format';
import { useNow } from '../../../ui/useNow';
import { useSum, useWords } from './useWords';
import classes from './Desk.module.css';

/** Charges that a cardholder has reported as fraud and nobody has decided about, with how long ago. */
export function Warnings({ warnings }: { warnings: readonly DeskWarning[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const words = useWords();
  const sum = useSum();
  if (warnings.length === 0) return <p className={classes.calm}>{t('desk.overview.noWarnings')}</p>;
  return (
    <ul className={classes.rows}>
      {warnings.map((warning) => (
        <li key={warning.warning_id}>
          <div>
            <Link to={paths.money(language, 'payments', warning.payment_id)}>
              {words('fraud', warning.reason)}
            </Link>
            <p>
              {[
                warning.title,
                unbroken(warning.method),
                formatAgo(language, Date.parse(warning.opened_at), now),
              ]
                .filter(Boolean)
                .join(', ')}
            </p>
          </div>
          <b>{sum(warning.amount_minor, warning.currency)}</b>
        </li>
      ))}
    </ul>
  );
}

/** A card's name and last digits stay on one line. */
const unbroken = (method: string) => method.replaceAll(' ', '\u00a0');
