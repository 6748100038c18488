import { useTranslation } from 'react-i18next';
import classes from './Skeletons.module.css';

/** A placeholder with the geometry of a campaign card. */
function CardSkeleton() {
  return (
    <div className={classes.card}>
      <div className={classes.cover} />
      <div className={classes.progress} />
      <div className={classes.line} style={{ width: '70%', height: '1.375rem' }} />
      <div className={classes.line} style={{ width: '92%' }} />
      <div className={classes.line} style={{ width: '54%' }} />
    </div>
  );
}

export interface CardsSkeletonProps {
  count: number;
  className?: string;
}

/** Placeholder cards; pass the class of the grid that the real cards use. */
export function CardsSkeleton({ count, className }: CardsSkeletonProps) {
  const { t } = useTranslation();
  return (
    <div className={className} role="status" aria-label={t('list.loading')}>
      {Array.from({ length: count }, (_, place) => (
        <CardSkeleton key={place} />
      ))}
    </div>
  );
}

export interface LinesSkeletonProps {
  lines: number;
}

/** Placeholder lines of text. */
export function LinesSkeleton({ lines }: LinesSkeletonProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.lines} role="status" aria-label={t('list.loading')}>
      {Array.from({ length: lines }, (_, place) => (
        <div key={place} className={classes.line} style={{ width: `${96 - ((place * 23) % 40)}%` }} />
      ))}
    </div>
  );
}
