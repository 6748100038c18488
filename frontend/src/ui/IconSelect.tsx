import type { ReactNode } from 'react';
import { ChevronDownIcon } from './icons';
import classes from './IconSelect.module.css';

export interface IconSelectProps {
  icon: ReactNode;
  /** For assistive technology: the icon and the choice say it to the eye. */
  label: string;
  /** An empty string selects the first choice. */
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A native select as high as a search field beside it. */
export function IconSelect({ icon, label, value, choices, onChange }: IconSelectProps) {
  return (
    <div className={classes.root}>
      {icon}
      <select
        aria-label={label}
        value={value}
        className={classes.select}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon size={16} />
    </div>
  );
}
