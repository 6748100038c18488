import { useLayoutEffect, useRef, useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './AxisDays.module.css';

export interface AxisDaysProps {
  /** The labels at both ends. */
  first: string;
  last: string;
  /** The position of today, 0 to 1 of the width; undefined if today is not on the axis. */
  todayAt?: number;
}

/** The least distance between two labels, in pixels. */
const gap = 8;

/** The labels of the time axis: both ends, and today. A label at an end is hidden if it would touch that of today. */
export function AxisDays({ first, last, todayAt }: AxisDaysProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState<readonly boolean[]>([]);
  useLayoutEffect(() => {
    const names = [...(row.current?.children ?? [])];
    // The width of a label depends on the language and the font, so it is measured.
    const measure = () => {
      const [one, other, today] = names.map((name) => name.getBoundingClientRect());
      setNear([one, other].map((end) => Boolean(end && today && touches(end, today))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const name of [row.current, ...names]) if (name) observer.observe(name);
    return () => observer.disconnect();
  }, [first, last, todayAt]);
  return (
    <div ref={row} className={classes.root} aria-hidden="true">
      <span data-near={near[0] ? true : undefined}>{first}</span>
      <span data-near={near[1] ? true : undefined}>{last}</span>
      {todayAt !== undefined && (
        <b style={{ '--at': `${todayAt * 100}%` } as CSSProperties}>{t('overview.today')}</b>
      )}
    </div>
  );
}

const touches = (one: DOMRect, other: DOMRect) =>
  one.right + gap > other.left && other.right + gap > one.left;
