import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ExperimentPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Chip } from '../../../ui/Chip';
import { EmptyState } from '../../../ui/EmptyState';
import classes from '../../../ui/table/Table.module.css';
import { SortHead } from '../../../ui/table/SortHead';
import { columns, type Column, type TableState } from './state';

export interface TableProps {
  state: TableState;
  onSort: (column: Column) => void;
  children: ReactNode;
}

/** The table with its heads, each but the last a button that sorts. */
export function Table({ state, onSort, children }: TableProps) {
  const { t } = useTranslation();
  return (
    // Wide tables scroll on a phone; a keyboard has to reach what scrolls.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by Tab
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('experimentTable.title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead
                key={column}
                direction={state.sort === column ? state.direction : undefined}
                className={classes[column]}
                onSort={() => onSort(column)}
              >
                {t(`experimentTable.column.${column}`)}
              </SortHead>
            ))}
            <th scope="col" className={classes.link}>
              {t('experimentTable.link')}
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Says why there are no rows. */
export function NoRows({ state: { keyword, isDisabled } }: { state: TableState }) {
  const { t } = useTranslation();
  if (keyword)
    return <EmptyState title={t('table.notFound', { keyword })}>{t('table.notFoundText')}</EmptyState>;
  return <EmptyState title={t(isDisabled ? 'experimentTable.noneDisabled' : 'experimentTable.none')} />;
}

/** One experiment. */
export function Row({ experiment }: { experiment: ExperimentPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id, slug, title, short_description, owner_name, show_in } = experiment;
  const lang = foreignLang(experiment.language, language);
  return (
    <tr className={classes.row}>
      <td>{experiment_id}</td>
      <th scope="row" lang={lang}>
        {title}
      </th>
      <td lang={lang}>{short_description}</td>
      <td>{owner_name}</td>
      <td>
        <span className={classes.chips}>
          {show_in.front_page && <Chip tone="info">{t('experimentTable.front_page')}</Chip>}
          {show_in.index && <Chip tone="spruce">{t('experimentTable.index')}</Chip>}
          {!show_in.front_page && !show_in.index && <Chip>{t('experimentTable.hidden')}</Chip>}
        </span>
      </td>
      <td>
        <Link
          to={paths.experiment(language, { id: experiment_id, slug, title })}
          aria-label={`${t('experimentTable.open')}: ${title}`}
          className={classes.open}
        >
          {t('experimentTable.open')}
        </Link>
      </td>
    </tr>
  );
}
