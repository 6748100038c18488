import { useId, type ReactNode } from 'react';
import { AlertCircleIcon, MinusIcon, PlusIcon } from './icons';
import classes from './StepperField.module.css';

export interface StepperFieldProps {
  label: string;
  /** The field's name in its form. */
  name: string;
  lessLabel: string;
  moreLabel: string;
  value: string;
  onChange: (value: string) => void;
  max: number;
  /** A help text, such as how many are left. */
  note?: ReactNode;
  error?: ReactNode;
}

/** A quantity that can be typed or changed with a minus and a plus button. */
export function StepperField(props: StepperFieldProps) {
  const { label, name, lessLabel, moreLabel, value, onChange, max, note, error } = props;
  const id = useId();
  const count = /^\d{1,4}$/.test(value.trim()) ? Number(value) : 0;
  const step = (by: number) => onChange(String(Math.min(max, Math.max(1, count + by))));
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.line}>
        <div className={classes.box} data-error={error ? true : undefined}>
          <button
            type="button"
            className={classes.step}
            aria-label={lessLabel}
            aria-controls={id}
            disabled={count <= 1}
            onClick={() => step(-1)}
          >
            <MinusIcon size={16} />
          </button>
          <input
            id={id}
            className={classes.input}
            data-path={name}
            inputMode="numeric"
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
          />
          <button
            type="button"
            className={classes.step}
            aria-label={moreLabel}
            aria-controls={id}
            disabled={count >= max}
            onClick={() => step(1)}
          >
            <PlusIcon size={16} />
          </button>
        </div>
        <p id={`${id}-note`} className={error ? classes.error : classes.note}>
          {error ? (
            <>
              <AlertCircleIcon size={16} />
              <span>{error}</span>
            </>
          ) : (
            note
          )}
        </p>
      </div>
    </div>
  );
}
