import classes from './TitleField.module.css';

export interface TitleFieldProps {
  label: string;
  value: string;
  /** The language of the text. */
  lang: string;
  maxLength: number;
  placeholder: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
  /** The typography: a campaign's title, another title, a lead paragraph, or running text. */
  look?: 'page' | 'title' | 'lead' | 'text';
  /** Line breaks are allowed; otherwise Enter does nothing and pasted line breaks become spaces. */
  hasLines?: boolean;
}

/** A text that is edited in place: a textarea that looks like the published text and grows with its content. */
export function TitleField({
  label,
  value,
  lang,
  maxLength,
  placeholder,
  onChange,
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
        onBlur={onLeave}
      />
    </div>
  );
}
