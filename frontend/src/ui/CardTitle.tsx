import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './CardTitle.module.css';

export interface CardTitleProps {
  to: string;
  /** The heading's level. */
  level?: 2 | 3;
  /** The title's language, if it is not the page's. */
  lang?: string;
  viewTransition?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * The title of a card. Its link covers the nearest positioned ancestor, which is the card, so that a click anywhere
 * opens it, while a screen reader hears one link with a short name.
 */
export function CardTitle({ to, level = 3, lang, viewTransition, className, children }: CardTitleProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <Heading className={className ? `${classes.root} ${className}` : classes.root} lang={lang}>
      <Link to={to} viewTransition={viewTransition} className={classes.link}>
        {children}
      </Link>
    </Heading>
  );
}
