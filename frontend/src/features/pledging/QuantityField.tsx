import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertCircleIcon, MinusIcon, PlusIcon } from '../../ui/icons';
import classes from './QuantityField.module.css';

export interface QuantityFieldProps {
  value: string;
  onChange: (value: string) => void;
  max: number;
  /** How many are left, in words. */
  note?: ReactNode;
  error?: ReactNode;
}

/** How many pieces: typed, or one more and one less by the buttons. */
export function QuantityField({ value, onChange, max, note, error }: QuantityFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const count = /^\d{1,4}$/.test(value.trim()) ? Number(value) : 0;
  const step = (by: number) => onChange(String(Math.min(max, Math.max(1, count + by))));
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {t('pledge.quantity')}
      </label>
      <div className={classes.line}>
        <div className={classes.box} data-error={error ? true : undefined}>
          <button
            type="button"
            className={classes.step}
            aria-label={t('pledge.less')}
            aria-controls={id}
            disabled={count <= 1}
            onClick={() => step(-1)}
          >
            <MinusIcon size={16} />
          </button>
          <input
            id={id}
            className={classes.input}
            data-path="quantity"
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
            aria-label={t('pledge.more')}
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
