import { Button } from './Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Cuts } from './Cuts';
import { RefreshIcon, UnpluggedIcon } from './icons';
import classes from './Faces.module.css';

export interface EmptyStateProps {
  title?: string;
  /** One kind sentence that says what to do. */
  children?: ReactNode;
  /** One soft button: <Button variant="light">. */
  action?: ReactNode;
}

/** A list with nothing in it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      <Cuts kind="empty" />
      <p className={classes.title}>{title ?? t('list.empty')}</p>
      {children && <p className={classes.text}>{children}</p>}
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  title?: string;
  /** What went wrong, from the error catalogue. */
  children?: ReactNode;
  onRetry: () => void;
}

/** A part of a page that did not load. */
export function ErrorState({ title, children, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.root} role="alert">
      <UnpluggedIcon className={classes.failed} />
      <p className={classes.title}>{title ?? t('list.failed')}</p>
      {children && <p className={classes.text}>{children}</p>}
      <Button variant="outline" leftSection={<RefreshIcon size={16} />} onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
