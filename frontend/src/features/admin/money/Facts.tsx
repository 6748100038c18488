import type { ReactNode } from 'react';
import classes from './Thing.module.css';

export interface FactsProps {
  title: string;
  /** A name and its value; those without one are left out. */
  rows: readonly [string, ReactNode][];
}

/** What is known of a thing, between hairlines. */
export function Facts({ title, rows }: FactsProps) {
  return (
    <section className={classes.facts} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {rows
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
