import { useId, type ReactNode } from 'react';
import classes from './Segments.module.css';

export interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
  /** The language of the label, when it is not the page's. */
  lang?: string;
}

export interface SegmentsProps<Value extends string> {
  /** What is chosen among. Not shown. */
  label: string;
  value: Value;
  segments: readonly Segment<Value>[];
  onChange: (value: Value) => void;
  /** As wide as its place, with equal parts. */
  isWide?: boolean;
}

/** A few choices side by side, of which one is always in force. The browser's radio buttons, so arrow keys move in it. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, segments, onChange, isWide } = props;
  const name = useId();
  return (
    <fieldset className={isWide ? `${classes.root} ${classes.wide}` : classes.root}>
      <legend className="tk-visually-hidden">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.value} className={classes.segment} lang={segment.lang}>
          <input
            type="radio"
            className="tk-visually-hidden"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          <span className={classes.words}>{segment.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
