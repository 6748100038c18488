import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Cuts } from './Cuts';
import classes from './StateBox.module.css';

export interface EmptyStateProps {
  title?: string;
  /** One friendly sentence that says what to do. */
  children?: ReactNode;
  /** A <Button variant="light">. */
  action?: ReactNode;
}

/** Shown in place of an empty list. */
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
