import type { ReactNode } from 'react';
import classes from './TextButton.module.css';

export interface TextButtonProps {
  /** inline: underlined, within a sentence · aside: beside a heading. */
  look: 'inline' | 'aside';
  isDisabled?: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** A button that looks like a link, where a box would be too loud. */
export function TextButton({ look, isDisabled, onPress, children }: TextButtonProps) {
  return (
    <button type="button" className={classes[look]} disabled={isDisabled} onClick={onPress}>
      {children}
    </button>
  );
}
