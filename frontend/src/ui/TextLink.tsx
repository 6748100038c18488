import type { ReactNode } from 'react';
import classes from './TextLink.module.css';

export interface TextLinkProps {
  /** An address outside the app, https: or mailto:. Undefined for one that is not safe to open: words alone. */
  href: string | undefined;
  /** Opens a new tab, so that the reader's work stays in this one. */
  isNewTab?: boolean;
  /** Words, and an icon before them. */
  children: ReactNode;
}

/** A link that leaves the app. Search engines do not follow it, because people write such addresses themselves. */
export function TextLink({ href, isNewTab = false, children }: TextLinkProps) {
  const tab = isNewTab
    ? { target: '_blank', rel: 'nofollow noopener noreferrer' }
    : { rel: 'nofollow noopener' };
  return (
    <a href={href} className={classes.root} {...tab}>
      {children}
    </a>
  );
}
