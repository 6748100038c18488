import { useLanguage } from '../i18n';
import { dayInWords } from '../i18n/dayInWords';
import classes from './DayField.module.css';
import { TextField, type TextFieldProps } from './fields';

export interface DayFieldProps extends Omit<TextFieldProps, 'type' | 'value'> {
  /** YYYY-MM-DD, or empty for none. */
  value?: string;
}

/**
 * A date field with the browser's own calendar. The browser shows the date in the format of the device, where
 * 01/02/2027 may be in January or February, so the line below shows it in words in the page's language.
 */
export function DayField({ value, help, ...rest }: DayFieldProps) {
  const language = useLanguage();
  return (
    <TextField
      {...rest}
      type="date"
      wrapperProps={{ className: classes.root }}
      value={value}
      help={
        value ? (
          <>
            <span className={classes.day}>{dayInWords(language, value)}</span>
            {help && <> {help}</>}
          </>
        ) : (
          help
        )
      }
    />
  );
}
