import { useId, useRef, type ReactNode, type Ref } from 'react';
import { ClockIcon } from '../icons';
import { useHeadingAfter } from '../useHeadingAfter';
import classes from './LimitBox.module.css';

export interface LimitBoxProps {
  title: string;
  /** Why, in sentences. */
  children: ReactNode;
  /** Why a choice was not made. */
  failure?: ReactNode;
  /** The choices, the one that is filled last. */
  choices: ReactNode;
  titleRef?: Ref<HTMLHeadingElement>;
}

/** What would cross the spending limit, and the choices. Nothing is charged before one is made. */
export function LimitBox({ title, children, failure, choices, titleRef }: LimitBoxProps) {
  const id = useId();
  const root = useRef<HTMLElement>(null);
  useHeadingAfter(root);
  return (
    <section ref={root} aria-labelledby={id} className={classes.root}>
      <ClockIcon className={classes.icon} />
      <div className={classes.words}>
        <h2 id={id} ref={titleRef} tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        <p>{children}</p>
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      </div>
      <div className={classes.choices}>{choices}</div>
    </section>
  );
}
