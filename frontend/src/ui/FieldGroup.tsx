import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertCircleIcon } from './icons';
import classes from './fields.module.css';

export interface FieldGroupProps {
  label: ReactNode;
  /** The field's name in its form, by which useAppForm finds and focuses the first invalid field. */
  name: string;
  /** Adds "optional" to the label. */
  isOptional?: boolean;
  help?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
}

/** A label with help and error for a field of several controls, such as chips or option rows. */
export function FieldGroup({ label, name, isOptional = false, help, error, children }: FieldGroupProps) {
  const { t } = useTranslation();
  const id = useId();
  const note = error || help;
  return (
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={note ? `${id}-note` : undefined}
      data-path={name}
    >
      <p id={`${id}-label`} className={classes.label}>
        {label} {isOptional && <span className={classes.optional}>{t('field.optional')}</span>}
      </p>
      {children}
      {note && (
        <div id={`${id}-note`} className={error ? classes.error : classes.help}>
          {error ? (
            <span className={classes.errorLine}>
              <AlertCircleIcon size={16} />
              <span>{error}</span>
            </span>
          ) : (
            note
          )}
        </div>
      )}
    </div>
  );
}
