import type { ReactNode } from 'react';
import classes from './TextButton.module.css';

export interface TextButtonProps {
  /** inline: underlined, within a sentence · aside: next to a heading. */
  look: 'inline' | 'aside';
  isDisabled?: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** A button that looks like a link. */
export function TextButton({ look, isDisabled, onPress, children }: TextButtonProps) {
  return (
    <button type="button" className={classes[look]} disabled={isDisabled} onClick={onPress}>
      {children}
    </button>
  );
}
