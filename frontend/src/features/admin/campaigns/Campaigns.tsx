import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCampaignTableQuery, type CampaignRow } from '../../../api/staff';
import { paths } from '../../../domain/paths';
import { campaignStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatCount } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { keepFocus } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import { SortHead } from '../../../ui/table/SortHead';
import table from '../../../ui/table/Table.module.css';
import { TableFoot } from '../../../ui/table/TableFoot';
import { ToggleButton } from '../../../ui/ToggleButton';
import { Unread } from '../../../ui/Unread';
import { CampaignTableRow } from './CampaignTableRow';
import classes from './Campaigns.module.css';
import { CloseDialog } from './CloseDialog';
import { HoldDialog } from './HoldDialog';
import { addressOf, columns, pageRows, stateOf, type Column, type TableState } from './state';

const stages = [0, 1, 2, 6, 3, 4, 5] as const;

/** All campaigns of all stages, drafts too, with stage, search, order and page in the address. */
export function Campaigns() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const state = stateOf(useLocation().search);
  const [closed, setClosed] = useState<CampaignRow>();
  const [held, setHeld] = useState<CampaignRow>();
  // A reader hears what the order became only when they have changed it.
  const [said, setSaid] = useState('');
  const { keyword, stage, sort, direction, page } = state;
  const call = useCampaignTableQuery({
    language,
    keyword,
    stages: stage === undefined ? undefined : [stage],
    sort,
    direction,
    limit: pageRows,
    offset: (page - 1) * pageRows,
  });
  const { data, currentData, error, isFetching } = call;
  // The rows before stay, dimmed, until the next ones have come.
  const shown = currentData ?? (error ? undefined : data);
  const apply = (next: Partial<TableState>) =>
    void navigate(paths.admin(language, 'campaigns', addressOf({ ...state, page: 1, ...next })), {
      state: keepFocus,
      preventScrollReset: true,
    });
  const sortBy = (column: Column) => {
    const next = sort === column && direction === 'desc' ? 'asc' : 'desc';
    setSaid(t(`table.sorted.${next}`, { column: t(`staff.campaigns.column.${column}`) }));
    apply({ sort: column, direction: next });
  };
  // With the version there is now, as after somebody else has changed the campaign.
  const nowOf = (row: CampaignRow) =>
    shown?.campaigns.find(({ campaign_id: id }) => id === row.campaign_id) ?? row;
  const count = (of: number) => shown && formatCount(language, of);

  return (
    <>
      <ul aria-label={t('staff.campaigns.stage')} className={classes.stages}>
        <li>
          <ToggleButton
            look="chip"
            isPressed={stage === undefined}
            onPress={() => apply({ stage: undefined })}
          >
            {t('staff.campaigns.all')} {count(shown?.stages.reduce((sum, one) => sum + one, 0) ?? 0)}
          </ToggleButton>
        </li>
        {stages.map((one) => (
          <li key={one}>
            <ToggleButton look="chip" isPressed={stage === one} onPress={() => apply({ stage: one })}>
              {t(`stage.${campaignStageName(one) ?? 'draft'}`)} {count(shown?.stages[one] ?? 0)}
            </ToggleButton>
          </li>
        ))}
      </ul>
      <div className={table.panel}>
        <div className={table.tools}>
          <SearchField
            look="box"
            label={t('staff.campaigns.search')}
            keyword={keyword}
            onSearch={(next) => apply({ keyword: next })}
          />
        </div>
        <p role="status" className="tk-visually-hidden">
          {said}
        </p>
        {shown ? (
          <div aria-busy={isFetching} className={isFetching ? table.waiting : undefined}>
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by Tab */}
            <div className={table.scroll} tabIndex={0} role="region" aria-label={t('people.staff.campaigns')}>
              <table className={`${table.table} ${classes.table}`}>
                <thead>
                  <tr>
                    {columns.slice(0, 3).map((column) => (
                      <SortHead
                        key={column}
                        direction={sort === column ? direction : undefined}
                        className={classes[column]}
                        onSort={() => sortBy(column)}
                      >
                        {t(`staff.campaigns.column.${column}`)}
                      </SortHead>
                    ))}
                    <th scope="col" className={classes.state}>
                      {t('staff.campaigns.column.stage')}
                    </th>
                    {columns.slice(3).map((column) => (
                      <SortHead
                        key={column}
                        direction={sort === column ? direction : undefined}
                        className={classes[column]}
                        onSort={() => sortBy(column)}
                      >
                        {t(`staff.campaigns.column.${column}`)}
                      </SortHead>
                    ))}
                    <th scope="col" className={classes.links}>
                      {t('staff.campaigns.column.links')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.campaigns.map((row) => (
                    <CampaignTableRow
                      key={row.campaign_id}
                      row={row}
                      onClose={() => setClosed(row)}
                      onHold={() => setHeld(row)}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {shown.campaigns.length === 0 && <EmptyState title={t('staff.campaigns.none')} />}
            <TableFoot
              page={page}
              size={pageRows}
              shown={shown.campaigns.length}
              total={shown.total}
              onPage={(next) => apply({ page: next })}
            />
          </div>
        ) : (
          <Unread of={call} where="AdminCampaigns" lines={10} />
        )}
      </div>
      <HoldDialog
        // It asks for what it was opened for, also when somebody else has done that meanwhile.
        campaign={held && { ...held, version: nowOf(held).version }}
        onClose={() => setHeld(undefined)}
      />
      <CloseDialog campaign={closed && nowOf(closed)} onClose={() => setClosed(undefined)} />
    </>
  );
}
