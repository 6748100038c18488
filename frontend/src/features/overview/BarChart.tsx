import { useId, type ReactNode } from 'react';
import classes from './BarChart.module.css';
import { useChosenBar } from './useChosenBar';

// The units of the viewBox; the drawing is stretched to the width of the page.
const height = 210;
const width = 720;

/** Where things stand in the drawing. */
export interface Scale {
  width: number;
  y: (value: number) => number;
  /** The left edge of a place. */
  x: (place: number) => number;
  /** A bar between two values, as attributes of its <rect>. */
  bar: (place: number, from: number, to: number) => Record<'x' | 'y' | 'width' | 'height' | 'rx', number>;
  /** The fill of what is not certain. */
  hatch: string;
}

export interface BarChartProps {
  /** All of it in words. */
  label: string;
  /** The values at its lines, the lowest first. */
  axis: readonly number[];
  /** An axis value in words. */
  axisText: (value: number) => string;
  /** How many bars fit in, with those of days or months ahead. */
  places: number;
  /** The widest space between bars, in units of 720 to the width. */
  mostGap: number;
  /** How many bars can be chosen. */
  count: number;
  /** When, how much, and what else, of the chosen bar. */
  words: (place: number) => readonly [string, string, string];
  chooserLabel: string;
  /** How far the page keys go. */
  page: number;
  /** The third of the words is on a line of its own. */
  isTall?: boolean;
  /** Instead of bars. */
  empty?: string;
  /** The bars. */
  children: (scale: Scale) => ReactNode;
  /** Below them; a place is given in percent of the width. */
  under: (percent: (place: number) => string) => ReactNode;
}

/** A chart of bars with its axis. A tooltip shows the numbers of the bar that is pointed at or chosen with the arrow keys. */
export function BarChart({ axis, places, mostGap, count, words, empty, ...rest }: BarChartProps) {
  const hatch = useId();
  const step = width / Math.max(1, places);
  const gap = Math.min(mostGap, step / 3);
  const [bottom, top] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  const y = (value: number) => ((top - value) / (top - bottom)) * height;
  const x = (place: number) => place * step;
  const bar = (place: number, from: number, to: number) => ({
    x: x(place) + gap / 2,
    width: step - gap,
    y: y(to),
    height: y(from) - y(to),
    rx: 3,
  });
  const middle = (place: number) => (x(place + 0.5) / width) * 100;
  const { chosen, slider } = useChosenBar(count, places, rest.page);
  const told = chosen === undefined || chosen >= count ? undefined : words(chosen);
  // So far from the edges the tooltip is on the page.
  const edge = rest.isTall ? 24 : 18;
  return (
    <div className={classes.root}>
      <div className={classes.drawing}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={rest.label}>
          <defs>
            <pattern
              id={hatch}
              width="7"
              height="7"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(25)"
            >
              <rect width="3" height="7" fill="var(--tk-cloud)" />
            </pattern>
          </defs>
          {axis.map((value) => (
            <line key={value} x2={width} y1={y(value)} y2={y(value)} className={classes.axisLine} />
          ))}
          {rest.children({ width, y, x, bar, hatch: `url(#${hatch})` })}
        </svg>
        {!empty && count > 0 && (
          <div
            {...slider}
            className={classes.chooser}
            aria-label={rest.chooserLabel}
            aria-valuetext={(told ?? words(count - 1)).join(', ')}
          />
        )}
        {told && chosen !== undefined && (
          <p
            className={classes.tip}
            aria-hidden="true"
            style={{ left: `${Math.min(100 - edge, Math.max(edge, middle(chosen)))}%` }}
          >
            <b>{told[0]}</b> <b className={classes.tipAmount}>{told[1]}</b>
            {rest.isTall ? <br /> : ' '}
            {told[2]}
          </p>
        )}
        {empty && <p className={`${classes.tip} ${classes.first}`}>{empty}</p>}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {axis
          .filter((value) => value !== 0)
          .map((value) => (
            <span key={value} style={{ top: `${(y(value) / height) * 100}%` }}>
              {rest.axisText(value)}
            </span>
          ))}
      </div>
      {rest.under((place) => `${middle(place)}%`)}
    </div>
  );
}
