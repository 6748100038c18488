import { useId, type ReactNode } from 'react';
import classes from './Section.module.css';

export interface SectionProps {
  title: string;
  children: ReactNode;
}

/** A section of the checkout: its title in the left column, its fields in the right. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.root} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      <div className={classes.body}>{children}</div>
    </section>
  );
}
