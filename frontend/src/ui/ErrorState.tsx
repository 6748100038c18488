import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { Button } from './Button';
import { RefreshIcon, UnpluggedIcon } from './icons';
import classes from './StateBox.module.css';

export interface ErrorStateProps {
  title?: string;
  /** What went wrong, from the error catalogue. */
  children?: ReactNode;
  onRetry: () => void;
}

/** Shown in place of content that could not be loaded. */
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
