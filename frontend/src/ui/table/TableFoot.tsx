import { useTranslation } from 'react-i18next';
import { Button } from '../Button';
import { ChevronLeftIcon, ChevronRightIcon } from '../editIcons';
import { IconButton } from '../IconButton';
import { offeredPages } from './offeredPages';
import classes from './Table.module.css';

export interface TableFootProps {
  /** From 1. */
  page: number;
  /** How many rows a full page has. */
  size: number;
  /** How many rows this page has. */
  shown: number;
  total: number;
  onPage: (page: number) => void;
}

/** Below a table: which rows these are, the ways to other pages, and how many pages there are. */
export function TableFoot({ page: current, size, shown, total, onPage }: TableFootProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / size));
  const from = (current - 1) * size + 1;
  return (
    <div className={classes.foot}>
      <p role="status">
        {t('table.fromTo', { from: shown > 0 ? from : 0, to: shown > 0 ? from + shown - 1 : 0, total })}
      </p>
      <nav aria-label={t('table.pages')} className={classes.pages}>
        <IconButton
          label={t('table.previous')}
          icon={<ChevronLeftIcon />}
          aria-disabled={current <= 1 || undefined}
          onClick={current > 1 ? () => onPage(current - 1) : undefined}
        />
        {offeredPages(current, last).map((page, place) =>
          page === 0 ? (
            <span key={`gap-${place}`}>…</span>
          ) : (
            <Button
              key={page}
              variant={page === current ? 'filled' : 'transparent'}
              size="sm"
              aria-label={t('table.toPage', { page })}
              aria-current={page === current ? 'page' : undefined}
              onClick={() => onPage(page)}
            >
              {page}
            </Button>
          ),
        )}
        <IconButton
          label={t('table.next')}
          icon={<ChevronRightIcon />}
          aria-disabled={current >= last || undefined}
          onClick={current < last ? () => onPage(current + 1) : undefined}
        />
      </nav>
      <p>{t('table.pageOf', { page: Math.min(current, last), last })}</p>
    </div>
  );
}
