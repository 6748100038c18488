import type { ReactNode } from 'react';
import classes from './CheckField.module.css';

export interface CheckFieldProps {
  label: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A checkbox with its label. */
export function CheckField({ label, isChecked, onChange }: CheckFieldProps) {
  return (
    <label className={classes.root}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
