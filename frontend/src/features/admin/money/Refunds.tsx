import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDeskRefundsQuery, useDeskRepeatRefundMutation, type DeskRefund } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { EmptyState } from '../../../ui/EmptyState';
import table from '../../../ui/table/Table.module.css';
import { Paging } from '../Paging';
import { ActDialog } from './ActDialog';
import { Shown } from './Shown';
import { SumCell, Table } from './Table';
import { pageSize, usePage } from './usePage';
import { useSum, useWords } from './useWords';

/** Refunds that are not with their backers. One that has failed can be sent once more. */
export function Refunds() {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  const { offset } = usePage('');
  const query = useDeskRefundsQuery({ offset });
  const [repeat] = useDeskRepeatRefundMutation();
  const [asked, setAsked] = useState<DeskRefund>();
  return (
    <>
      <Shown query={query}>
        {({ refunds, total }) => (
          <>
            {refunds.length === 0 && <EmptyState title={t('desk.refund.none')} />}
            {refunds.length > 0 && (
              <Table
                label={t('desk.parts.refunds')}
                columns={['payment', 'amount', 'reason', 'state', 'error', 'when', 'acts']}
              >
                {refunds.map((one) => (
                  <tr key={one.refund_id} className={table.row}>
                    <th scope="row">
                      <Link to={paths.money(language, 'payments', one.payment_id)} className={table.open}>
                        {one.payment_id.slice(-8)}
                      </Link>
                    </th>
                    <SumCell>{sum(one.amount_minor, one.currency)}</SumCell>
                    <td>{words('refund.reason', one.reason)}</td>
                    <td>
                      <Chip tone={one.status === 'failed' ? 'danger' : 'cloud'}>
                        {words('refund.status', one.status)}
                      </Chip>
                    </td>
                    <td>{one.failure_code ?? '–'}</td>
                    <td>{formatDateTime(language, one.created_at)}</td>
                    <td>
                      {one.status === 'failed' && (
                        <Button
                          variant="light"
                          size="sm"
                          aria-label={`${t('desk.refund.repeat')}: ${one.payment_id.slice(-8)}`}
                          onClick={() => setAsked(one)}
                        >
                          {t('desk.refund.repeat')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Paging
              offset={offset}
              shown={refunds.length}
              size={pageSize}
              total={total}
              to={(next) => paths.money(language, 'refunds', undefined, { offset: next || undefined })}
            />
          </>
        )}
      </Shown>
      <ActDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('desk.refund.repeatTitle', { sum: asked ? sum(asked.amount_minor, asked.currency) : '' })}
        label={t('desk.refund.repeat')}
        done={t('desk.refund.repeated')}
        act={(note) => repeat({ refundId: asked?.refund_id ?? '', deskNote: { note } })}
      >
        <p>{t('desk.refund.repeatText')}</p>
      </ActDialog>
    </>
  );
}
