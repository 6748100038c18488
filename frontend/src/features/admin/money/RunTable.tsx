import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DeskRunRow } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Chip } from '../../../ui/Chip';
import table from '../../../ui/table/Table.module.css';
import { SumCell, Table } from './Table';
import { useSum, useWords } from './useWords';

/** Runs in rows, each with why it waits. */
export function RunTable({ runs }: { runs: readonly DeskRunRow[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  return (
    <Table
      label={t('desk.parts.runs')}
      columns={['campaign', 'state', 'net', 'waits', 'charge', 'provider', 'by']}
    >
      {runs.map((run) => (
        <tr key={run.run_id} className={table.row}>
          <th scope="row">
            <Link to={paths.money(language, 'runs', run.run_id)} className={table.open}>
              {run.title || `#${run.campaign_id}`} {run.number}
            </Link>
          </th>
          <td>
            <Chip tone={run.state === 'proposed' ? 'cloud' : run.state === 'paid' ? 'spruce' : 'plain'}>
              {words('runState', run.state)}
            </Chip>
          </td>
          <SumCell>{run.state === 'counting' ? '–' : sum(run.net_minor, run.currency)}</SumCell>
          <td title={run.detail}>{run.reason ? words('reason', run.reason) : '–'}</td>
          <SumCell>{run.state === 'counting' ? '–' : sum(run.gross_minor, run.currency)}</SumCell>
          <td>{words('provider', run.provider)}</td>
          <td>{run.proposed_by}</td>
        </tr>
      ))}
    </Table>
  );
}
