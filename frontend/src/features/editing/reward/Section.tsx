import { useId, type ReactNode } from 'react';
import classes from './RewardEditor.module.css';

export interface SectionProps {
  title: string;
  /** One sentence beside the title. */
  note?: ReactNode;
  children: ReactNode;
}

/** A part of the form under its own heading. */
export function Section({ title, note, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.sectionHead}>
        <h3 id={id} className={classes.title}>
          {title}
        </h3>
        {note && <p className={classes.note}>{note}</p>}
      </div>
      {children}
    </section>
  );
}
