import type { ReactNode } from 'react';
import classes from './ActionBar.module.css';

export interface ActionBarProps {
  className?: string;
  /** Whether it is on the screen; it keeps its place when not. */
  isShown?: boolean;
  children: ReactNode;
}

/** On a phone, at the foot of the screen: what it comes to, and the one button. */
export function ActionBar({ className, isShown = true, children }: ActionBarProps) {
  return (
    <div
      className={className ? `${classes.root} ${className}` : classes.root}
      data-shown={isShown || undefined}
    >
      {children}
    </div>
  );
}
