import './controlStyles';
import { useId, type ReactNode } from 'react';
import classes from './SwitchField.module.css';

export interface SwitchFieldProps {
  label: ReactNode;
  /** A sentence under the label. */
  help?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch with its label: a checkbox with the role switch. */
export function SwitchField({ label, help, isOn, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <label className={classes.root}>
      <span>
        <span id={`${id}-name`} className={classes.label}>
          {label}
        </span>
        {help && (
          <span id={`${id}-help`} className={classes.help}>
            {help}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={classes.switch}
        checked={isOn}
        aria-labelledby={`${id}-name`}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  );
}
