import classes from './TitleField.module.css';

export interface TitleFieldProps {
  label: string;
  value: string;
  /** Of the text. */
  lang: string;
  maxLength: number;
  placeholder: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
}

/** A heading that is written in its place, as large as it will be. One line of text, on as many lines as it needs. */
export function TitleField({
  label,
  value,
  lang,
  maxLength,
  placeholder,
  onChange,
  onLeave,
}: TitleFieldProps) {
  return (
    <div className={classes.root} data-text={value || placeholder}>
      <textarea
        className={classes.field}
        rows={1}
        aria-label={label}
        lang={lang}
        value={value}
        maxLength={maxLength}
        placeholder={placeholder}
        onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\n/g, ' '))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        onBlur={onLeave}
      />
    </div>
  );
}
