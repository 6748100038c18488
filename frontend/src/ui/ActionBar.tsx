import type { ReactNode } from 'react';
import classes from './ActionBar.module.css';

export interface ActionBarProps {
  className?: string;
  /** False hides the bar without unmounting it. */
  isShown?: boolean;
  children: ReactNode;
}

/** A bar at the bottom of a phone's screen, for a sum and the main button. Hidden on wide screens and in print. */
export function ActionBar({ className, isShown = true, children }: ActionBarProps) {
  return (
    <div
      className={className ? `${classes.root} ${className}` : classes.root}
      data-shown={isShown || undefined}
      data-bottom-bar
    >
      {children}
    </div>
  );
}
