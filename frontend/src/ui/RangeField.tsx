import classes from './RangeField.module.css';

export interface RangeFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value in words, for who hears it. */
  valueText?: string;
  onChange: (value: number) => void;
}

/** A number that is set by pushing or by the arrow keys. */
export function RangeField({ label, value, min, max, step, valueText, onChange }: RangeFieldProps) {
  return (
    <label className={classes.root}>
      <span>{label}</span>
      <input
        type="range"
        value={value}
        min={min}
        max={max}
        step={step}
        aria-valuetext={valueText}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}
