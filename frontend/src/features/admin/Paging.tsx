import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button';
import classes from './Paging.module.css';

export interface PagingProps {
  offset: number;
  /** How many are on this page. */
  shown: number;
  /** How many are on a full page. */
  size: number;
  total: number;
  /** The address of the page that begins at an offset. */
  to: (offset: number) => string;
}

/** The ways to the pages before and after. Nothing when all is on one. */
export function Paging({ offset, shown, size, total, to }: PagingProps) {
  const { t } = useTranslation();
  const hasNewer = offset > 0;
  const hasOlder = offset + shown < total && shown > 0;
  if (!hasNewer && !hasOlder) return null;
  return (
    <nav aria-label={t('people.staff.paging')} className={classes.root}>
      {hasNewer && (
        <Button component={Link} variant="outline" size="sm" to={to(Math.max(0, offset - size))}>
          {t('people.staff.newer')}
        </Button>
      )}
      <span>{t('people.staff.pageOf', { from: offset + 1, to: offset + shown })}</span>
      {hasOlder && (
        <Button component={Link} variant="outline" size="sm" to={to(offset + size)}>
          {t('people.staff.older')}
        </Button>
      )}
    </nav>
  );
}
