import classes from './RangeField.module.css';

export interface RangeFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value in words, for screen readers. */
  valueText?: string;
  onChange: (value: number) => void;
}

/** A slider for a number: the browser's range input with its label. */
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
