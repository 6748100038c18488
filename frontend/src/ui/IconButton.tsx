import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import classes from './IconButton.module.css';

export type IconButtonProps<C extends ElementType = 'button'> = {
  component?: C;
  /** The accessible name. */
  label: string;
  className?: string;
  /** An icon. */
  children: ReactNode;
} & Omit<ComponentPropsWithRef<C>, 'component' | 'className' | 'children' | 'aria-label'>;

/** A button that shows only an icon, or with component={Link} a link that looks like one. 44 px square. */
export function IconButton<C extends ElementType = 'button'>(props: IconButtonProps<C>) {
  const { component, label, className, children, ...rest } = props;
  const Root: ElementType = component ?? 'button';
  return (
    <Root
      {...(!component && { type: 'button' })}
      {...rest}
      aria-label={label}
      className={className ? `${classes.root} ${className}` : classes.root}
    >
      {children}
    </Root>
  );
}
