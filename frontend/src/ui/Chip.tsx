import type { ReactNode } from 'react';
import classes from './Chip.module.css';

export interface ChipProps {
  /** plain: outline · spruce: fine as it is · cloud: scarce or waiting · danger · info: in review. */
  tone?: 'plain' | 'spruce' | 'cloud' | 'danger' | 'info';
  children: ReactNode;
}

/** A short state in words. */
export function Chip({ tone = 'plain', children }: ChipProps) {
  return <span className={`${classes.root} ${classes[tone]}`}>{children}</span>;
}
