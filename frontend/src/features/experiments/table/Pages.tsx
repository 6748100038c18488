import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useExperimentPreviewsQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/editIcons';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from './ExperimentTable.module.css';
import { offeredPages, pageRows, questionOf, type Column, type TableState } from './state';
import { Row, Table } from './Table';

export interface PagesProps {
  state: TableState;
  onSort: (column: Column) => void;
  onPage: (page: number) => void;
}

/** The table ten rows at a time. */
export function Pages({ state, onSort, onPage }: PagesProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const { data, currentData, error, refetch, isFetching } = useExperimentPreviewsQuery({
    language,
    ...questionOf(state),
    limit: pageRows,
    offset: (state.page - 1) * pageRows,
  });
  // The rows before stay, dimmed, until the next ones have come.
  const shown = currentData ?? (error ? undefined : data);
  if (!shown && error)
    return (
      <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'ExperimentTable')}</ErrorState>
    );
  if (!shown) return <LinesSkeleton lines={10} />;
  const { previews, total } = shown;
  const last = Math.max(1, Math.ceil(total / pageRows));
  const from = (state.page - 1) * pageRows + 1;
  return (
    <div aria-busy={isFetching} className={isFetching ? classes.waiting : undefined}>
      <Table state={state} onSort={onSort}>
        {previews.map((experiment) => (
          <Row key={experiment.experiment_id} experiment={experiment} />
        ))}
      </Table>
      {previews.length === 0 && <EmptyState>{t('experimentTable.none')}</EmptyState>}
      <div className={classes.foot}>
        <p role="status">
          {t('experimentTable.fromTo', {
            from: previews.length > 0 ? from : 0,
            to: previews.length > 0 ? from + previews.length - 1 : 0,
            total,
          })}
        </p>
        <nav aria-label={t('experimentTable.pages')} className={classes.pages}>
          <IconButton
            label={t('experimentTable.previous')}
            icon={<ChevronLeftIcon />}
            aria-disabled={state.page <= 1 || undefined}
            onClick={state.page > 1 ? () => onPage(state.page - 1) : undefined}
          />
          {offeredPages(state.page, last).map((page, place) =>
            page === 0 ? (
              <span key={`gap-${place}`}>…</span>
            ) : (
              <Button
                key={page}
                variant={page === state.page ? 'filled' : 'transparent'}
                size="sm"
                aria-label={t('experimentTable.toPage', { page })}
                aria-current={page === state.page ? 'page' : undefined}
                onClick={() => onPage(page)}
              >
                {page}
              </Button>
            ),
          )}
          <IconButton
            label={t('experimentTable.next')}
            icon={<ChevronRightIcon />}
            aria-disabled={state.page >= last || undefined}
            onClick={state.page < last ? () => onPage(state.page + 1) : undefined}
          />
        </nav>
        <p>{t('experimentTable.pageOf', { page: Math.min(state.page, last), last })}</p>
      </div>
    </div>
  );
}
