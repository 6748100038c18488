import type { ReactNode } from 'react';
import classes from './TextButton.module.css';

export interface TextButtonProps {
  /** inline: underlined, within a sentence · aside: next to a heading. */
  look: 'inline' | 'aside';
  isDisabled?: boolean;
  /** What it shows and hides is shown. */
  isOpen?: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** A button that looks like a link. */
export function TextButton({ look, isDisabled, isOpen, onPress, children }: TextButtonProps) {
  return (
    <button
      type="button"
      className={classes[look]}
      disabled={isDisabled}
      aria-expanded={isOpen}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
