import type { ReactNode } from 'react';

export interface SkipLinkProps {
  /** The id of the element that it leads to. */
  to: string;
  children: ReactNode;
}

/** A link over what repeats, for those who use a keyboard; visible while it has the focus. */
export function SkipLink({ to, children }: SkipLinkProps) {
  return (
    <a href={`#${to}`} className="tk-skip">
      {children}
    </a>
  );
}
