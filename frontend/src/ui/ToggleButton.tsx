import type { ReactNode } from 'react';
import classes from './ToggleButton.module.css';

export interface ToggleButtonProps {
  isPressed: boolean;
  onPress: () => void;
  /** tab: underlined when pressed · chip: a pill, filled when pressed · crossed: a pill with its text struck through. */
  look: 'tab' | 'chip' | 'crossed';
  /** Where the visible text does not say all. */
  label?: string;
  children: ReactNode;
}

/** A button that stays pressed, for filters. */
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
