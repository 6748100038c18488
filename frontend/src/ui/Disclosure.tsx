import type { ReactNode } from 'react';
import classes from './Disclosure.module.css';
import { ChevronDownIcon } from './icons';

export interface DisclosureProps {
  /** What is in it. */
  label: string;
  /** With onToggle; without both the browser keeps the state. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** Content that is shown on request, below its label. */
export function Disclosure({ label, isOpen, onToggle, className = '', children }: DisclosureProps) {
  return (
    <details
      className={`${classes.root} ${className}`}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary className={classes.label}>
        {label}
        <ChevronDownIcon size={16} />
      </summary>
      {children}
    </details>
  );
}
