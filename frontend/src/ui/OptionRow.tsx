import { useId, type ReactNode } from 'react';
import classes from './OptionRow.module.css';

export interface OptionRowProps {
  name: string;
  value: string;
  isChecked: boolean;
  onChoose: () => void;
  label: ReactNode;
  /** At the right; on a phone below the label when `isNoteBelow`. */
  note?: ReactNode;
  isNoteBelow?: boolean;
  icon?: ReactNode;
  /** A sentence under the label. */
  detail?: ReactNode;
  /** The detail is somebody's own text, however long: two lines of it are shown. */
  isDetailCut?: boolean;
  isDisabled?: boolean;
  /** Without a border, for minor choices. */
  isPlain?: boolean;
  /** A short word in the middle, one of a few side by side; being chosen shows by its colour. */
  isToggle?: boolean;
  /** Below the row, usually rendered only while it is checked. */
  children?: ReactNode;
}

/** A radio button as a row that can be clicked anywhere. */
export function OptionRow(props: OptionRowProps) {
  const { name, value, isChecked, onChoose, label, note, isNoteBelow, icon, detail, children } = props;
  const { isDetailCut, isDisabled, isPlain, isToggle } = props;
  const id = useId();
  return (
    <div
      className={isPlain ? classes.plain : classes.root}
      data-checked={isChecked ? true : undefined}
      data-disabled={isDisabled ? true : undefined}
      data-toggle={isToggle ? true : undefined}
    >
      <label className={classes.row}>
        <input
          type="radio"
          className={classes.radio}
          name={name}
          value={value}
          checked={isChecked}
          disabled={isDisabled}
          onChange={onChoose}
          // The detail describes the choice; as a part of its name it would be read out at every step.
          aria-labelledby={detail ? `${id}-name` : undefined}
          aria-describedby={detail ? `${id}-detail` : undefined}
        />
        {icon && <span className={classes.icon}>{icon}</span>}
        <span className={classes.texts}>
          <span id={`${id}-name`} className={isNoteBelow ? classes.wordsBelow : classes.words}>
            <span className={classes.label}>{label}</span>
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </span>
          {detail && (
            <span id={`${id}-detail`} className={classes.detail} data-cut={isDetailCut}>
              {detail}
            </span>
          )}
        </span>
      </label>
      {children}
    </div>
  );
}
