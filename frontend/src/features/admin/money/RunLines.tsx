import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { useDeskRunLinesQuery } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Chip } from '../../../ui/Chip';
import table from '../../../ui/table/Table.module.css';
import { Paging } from '../Paging';
import { readOffset } from '../paging';
import { Shown } from './Shown';
import { SumCell, Table } from './Table';
import { pageSize } from './usePage';
import { useSum } from './useWords';
import classes from './Thing.module.css';

/** The lines of a run, page by page. */
export function RunLines({ runId, currency }: { runId: string; currency: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sum = useSum();
  const offset = readOffset(new URLSearchParams(useLocation().search).get('offset'));
  const query = useDeskRunLinesQuery({ runId, offset });
  const money = (minor: number) => sum(minor, currency);
  return (
    <section className={classes.section} aria-labelledby="lines">
      <h3 id="lines">{t('desk.run.lines')}</h3>
      <Shown query={query}>
        {({ lines, total }) => (
          <>
            <Table
              label={t('desk.run.lines')}
              columns={['line', 'method', 'charge', 'fee', 'reserve', 'net', 'state']}
            >
              {lines.map((line) => (
                <tr key={line.charge_ref} className={table.row}>
                  <th scope="row">
                    <Link to={paths.money(language, 'payments', line.payment_id)} className={table.open}>
                      {line.payment_id.slice(-8)}
                    </Link>
                  </th>
                  <td>{line.method || '–'}</td>
                  <SumCell>{money(line.gross_minor)}</SumCell>
                  <SumCell>{money(-line.fee_minor)}</SumCell>
                  <SumCell>{money(-line.reserve_minor)}</SumCell>
                  <SumCell>{money(line.net_minor)}</SumCell>
                  <td>
                    <Chip
                      tone={line.state === 'left' ? 'danger' : line.state === 'booked' ? 'spruce' : 'plain'}
                    >
                      {t(`desk.run.lineState.${line.state}`)}
                    </Chip>
                  </td>
                </tr>
              ))}
            </Table>
            <Paging
              offset={offset}
              shown={lines.length}
              size={pageSize}
              total={total}
              to={(next) => paths.money(language, 'runs', runId, { offset: next || undefined })}
            />
          </>
        )}
      </Shown>
    </section>
  );
}
