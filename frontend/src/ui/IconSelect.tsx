import type { ReactNode } from 'react';
import { ChevronDownIcon } from './icons';
import classes from './IconSelect.module.css';

interface SelectChoice {
  value: string;
  label: string;
}

export interface IconSelectProps {
  icon: ReactNode;
  /** For assistive technology: the icon and the choice say it to the eye. */
  label: string;
  /** An empty string selects the first choice. */
  value: string;
  choices: readonly SelectChoice[];
  /** More choices below those, under their names. */
  groups?: readonly { label: string; choices: readonly SelectChoice[] }[];
  onChange: (value: string) => void;
}

/** A native select as high as a search field beside it. */
export function IconSelect({ icon, label, value, choices, groups = [], onChange }: IconSelectProps) {
  const option = (choice: SelectChoice) => (
    <option key={choice.value} value={choice.value}>
      {choice.label}
    </option>
  );
  return (
    <div className={classes.root}>
      {icon}
      <select
        aria-label={label}
        value={value}
        className={classes.select}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map(option)}
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.choices.map(option)}
          </optgroup>
        ))}
      </select>
      <ChevronDownIcon size={16} />
    </div>
  );
}
