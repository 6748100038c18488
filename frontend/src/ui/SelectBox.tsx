import { ChevronDownIcon } from './icons';
import classes from './SelectBox.module.css';

export interface SelectBoxProps<Value extends string> {
  label: string;
  /** An empty string selects the first choice. */
  value: Value | '';
  choices: readonly { value: Value | ''; label: string }[];
  onChange: (value: Value | '') => void;
}

/** A native select with its label before it, such as the sort order of a list. */
export function SelectBox<Value extends string>({ label, value, choices, onChange }: SelectBoxProps<Value>) {
  return (
    <label className={classes.root}>
      <span>{label}</span>
      <span className={classes.holder}>
        <select
          value={value}
          className={classes.select}
          onChange={({ target }) =>
            onChange(choices.find((choice) => choice.value === target.value)?.value ?? '')
          }
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={16} />
      </span>
    </label>
  );
}
