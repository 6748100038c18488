import type { ReactNode } from 'react';
import { useLanguage } from '../i18n';
import { formatCount } from '../i18n/format';
import classes from './ToggleButton.module.css';

export interface ToggleButtonProps {
  isPressed: boolean;
  onPress: () => void;
  /** tab: underlined when pressed · chip: a pill, filled when pressed · crossed: a pill, struck through · box: a choice in a row. */
  look: 'tab' | 'chip' | 'crossed' | 'box';
  /** The accessible name, where the visible text is not enough. */
  label?: string;
  /** How many it would show, counted to 1,000. */
  count?: number;
  children: ReactNode;
}

/** A toggle button, for filters. */
export function ToggleButton({ isPressed, onPress, look, label, count, children }: ToggleButtonProps) {
  const language = useLanguage();
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      aria-label={label}
      className={look === 'crossed' ? `${classes.chip} ${classes.crossed}` : classes[look]}
      onClick={onPress}
    >
      {children}
      {count !== undefined && (
        <span className={classes.count}>
          {formatCount(language, count)}
          {count >= 1000 && '+'}
        </span>
      )}
    </button>
  );
}
