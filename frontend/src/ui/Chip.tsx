import type { ReactNode } from 'react';
import classes from './Chip.module.css';

export interface ChipProps {
  /** plain: neutral · spruce: positive · cloud: scarce or waiting · danger: stopped · info: in review. */
  tone?: 'plain' | 'spruce' | 'cloud' | 'danger' | 'info';
  children: ReactNode;
}

/** A short status label. */
export function Chip({ tone = 'plain', children }: ChipProps) {
  return <span className={`${classes.root} ${classes[tone]}`}>{children}</span>;
}
