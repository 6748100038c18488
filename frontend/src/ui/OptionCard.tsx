import { useId, type ReactNode } from 'react';
import classes from './OptionCard.module.css';

export interface OptionCardProps {
  name: string;
  value: string;
  isChecked: boolean;
  onChoose: () => void;
  /** Decorative, 92 × 28. */
  drawing: ReactNode;
  label: string;
  detail: string;
  /** In place of `detail` on a phone. */
  shortDetail: string;
}

/** A radio button as a card with a drawing; on a phone a row. */
export function OptionCard(props: OptionCardProps) {
  const { name, value, isChecked, onChoose, drawing, label, detail, shortDetail } = props;
  const id = useId();
  return (
    <label className={classes.root} data-checked={isChecked || undefined}>
      <span className={classes.drawing} aria-hidden="true">
        {drawing}
      </span>
      <input
        type="radio"
        className={classes.radio}
        name={name}
        value={value}
        checked={isChecked}
        onChange={onChoose}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-detail`}
      />
      <span className={classes.words}>
        <span id={`${id}-label`} className={classes.label}>
          {label}
        </span>
        <span id={`${id}-detail`} className={classes.detail}>
          <span className={classes.long}>{detail}</span>
          <span className={classes.short}>{shortDetail}</span>
        </span>
      </span>
    </label>
  );
}
