import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DeskDispute } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useNow } from '../../../ui/useNow';
import { useSum, useWords } from './useWords';
import classes from './Desk.module.css';

const day = 24 * 60 * 60 * 1000;

/** Disputes that are not decided, with how long there is to answer; those that wait for a bank alone come last. */
export function Disputes({ disputes }: { disputes: readonly DeskDispute[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const words = useWords();
  const sum = useSum();
  const left = ({ respond_by: until, evidence_at: answered }: DeskDispute) => {
    if (answered) return t('desk.overview.answered');
    if (!until) return t('desk.overview.noDeadline');
    const days = Math.floor((Date.parse(until) - now) / day);
    return days < 0 ? t('desk.overview.overdue') : t('desk.overview.daysLeft', { count: days });
  };
  const isAnswered = ({ evidence_at: at }: DeskDispute) => Number(at !== undefined);
  if (disputes.length === 0) return <p className={classes.calm}>{t('desk.overview.noDisputes')}</p>;
  return (
    <ul className={classes.rows}>
      {[...disputes]
        .sort((one, other) => isAnswered(one) - isAnswered(other))
        .map((dispute) => (
          <li key={dispute.dispute_id}>
            <div>
              <Link to={paths.money(language, 'payments', dispute.payment_id)}>{left(dispute)}</Link>
              <p>
                {[words('provider', dispute.provider), dispute.reason && words('dispute', dispute.reason)]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            <b>{sum(dispute.amount_minor, dispute.currency)}</b>
          </li>
        ))}
    </ul>
  );
}
