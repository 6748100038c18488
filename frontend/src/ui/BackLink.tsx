import { Link, type LinkProps } from 'react-router-dom';
import classes from './BackLink.module.css';
import { ArrowLeftIcon } from './icons';

/** Leads to what a page belongs to, above its heading. */
export function BackLink({ children, ...link }: Omit<LinkProps, 'className'>) {
  return (
    <Link {...link} className={classes.root}>
      <ArrowLeftIcon size={16} />
      {children}
    </Link>
  );
}
