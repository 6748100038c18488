import type { ReactNode } from 'react';
import { Cuts } from './Cuts';
import classes from './Quote.module.css';

export interface QuoteProps {
  children: ReactNode;
  /** Who said it, and as what. */
  by?: ReactNode;
}

/** A quotation under three knife cuts. */
export function Quote({ children, by }: QuoteProps) {
  return (
    <figure className={classes.root}>
      <Cuts kind="quote" />
      <blockquote className={classes.text}>{children}</blockquote>
      {by && <figcaption className={classes.by}>{by}</figcaption>}
    </figure>
  );
}
