import type { ReactNode } from 'react';
import classes from './ToggleButton.module.css';

export interface ToggleButtonProps {
  isPressed: boolean;
  onPress: () => void;
  /** tab: underlined when pressed · chip: a pill, filled when pressed · crossed: a pill, struck through · box: a choice in a row. */
  look: 'tab' | 'chip' | 'crossed' | 'box';
  /** The accessible name, where the visible text is not enough. */
  label?: string;
  children: ReactNode;
}

/** A toggle button, for filters. */
export function ToggleButton({ isPressed, onPress, look, label, children }: ToggleButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      aria-label={label}
      className={look === 'crossed' ? `${classes.chip} ${classes.crossed}` : classes[look]}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
