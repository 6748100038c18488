import classes from './TitleField.module.css';

export interface TitleFieldProps {
  label: string;
  value: string;
  /** Of the text. */
  lang: string;
  maxLength: number;
  placeholder: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
  onLeave?: () => void;
  /** Its size: a page's title, the words below one, or running text. */
  look?: 'title' | 'lead' | 'text';
  /** Enter begins a new line. */
  hasLines?: boolean;
}

/** A text that is written in its place, as large as it will be, on as many lines as it needs. */
export function TitleField({
  label,
  value,
  lang,
  maxLength,
  placeholder,
  onChange,
  onEnter,
  onLeave,
  look = 'title',
  hasLines = false,
}: TitleFieldProps) {
  return (
    <div className={`${classes.root} ${classes[look]}`} data-text={value || placeholder}>
      <textarea
        className={classes.field}
        rows={1}
        aria-label={label}
        lang={lang}
        value={value}
        maxLength={maxLength}
        placeholder={placeholder}
        onChange={({ currentTarget }) =>
          onChange(hasLines ? currentTarget.value : currentTarget.value.replace(/\n/g, ' '))
        }
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !hasLines) event.preventDefault();
        }}
        onFocus={onEnter}
        onBlur={onLeave}
      />
    </div>
  );
}
