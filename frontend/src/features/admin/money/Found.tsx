import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DeskFound, DeskPaymentRow } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import table from '../../../ui/table/Table.module.css';
import { RunTable } from './RunTable';
import { SumCell, Table } from './Table';
import { useSum } from './useWords';
import { Where } from './Where';

/** What a word has led to, and how it was read. */
export function Found({ found }: { found: DeskFound }) {
  const { t } = useTranslation();
  const { payments, runs, read_as: readAs } = found;
  return (
    <div>
      <p role="status">
        {t(`desk.search.readAs.${readAs}`)} {t('desk.search.count', { count: payments.length })}
      </p>
      {payments.length + runs.length === 0 && <EmptyState title={t('desk.search.none')} />}
      {payments.length > 0 && <PaymentTable payments={payments} />}
      {runs.length > 0 && <RunTable runs={runs} />}
    </div>
  );
}

function PaymentTable({ payments }: { payments: readonly DeskPaymentRow[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sum = useSum();
  return (
    <Table
      label={t('desk.search.results')}
      columns={['payment', 'campaign', 'method', 'amount', 'where', 'when']}
    >
      {payments.map((one) => (
        <tr key={one.payment_id} className={table.row}>
          <th scope="row">
            <Link to={paths.money(language, 'payments', one.payment_id)} className={table.open}>
              {one.payment_id.slice(-8)}
            </Link>
          </th>
          <td>{one.title}</td>
          <td>{one.method || '–'}</td>
          <SumCell>{sum(one.amount_minor, one.currency)}</SumCell>
          <td>
            <Where where={one.where} />
          </td>
          <td>{formatDateTime(language, one.created_at)}</td>
        </tr>
      ))}
    </Table>
  );
}
