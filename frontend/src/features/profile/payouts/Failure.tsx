import type { ReactNode } from 'react';
import { AlertCircleIcon } from '../../../ui/icons';
import classes from './PayoutsPage.module.css';

/** Why a press did not do what it was to do. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={classes.failure}>
      <AlertCircleIcon size={16} /> <span>{children}</span>
    </p>
  );
}
