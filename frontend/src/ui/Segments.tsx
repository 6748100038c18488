import { useId, type ReactNode } from 'react';
import classes from './Segments.module.css';

/** One of the choices. */
export interface Segment<Value extends string> {
  value: Value;
  label: ReactNode;
  /** The language of the label, when it is not the page's. */
  lang?: string;
}

export interface SegmentsProps<Value extends string> {
  /** The accessible name of the group; not shown. */
  label: string;
  value: Value;
  segments: readonly Segment<Value>[];
  onChange: (value: Value) => void;
  /** Takes the full width, in equal parts. */
  isWide?: boolean;
  /** Less high, for a toolbar. */
  isSmall?: boolean;
}

/** A segmented control: a few choices side by side, one of which is always selected. Built of native radio buttons. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, segments, onChange, isWide, isSmall } = props;
  const name = useId();
  return (
    <fieldset className={`${classes.root} ${isWide ? classes.wide : ''} ${isSmall ? classes.small : ''}`}>
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
