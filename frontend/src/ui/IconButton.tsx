import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import classes from './IconButton.module.css';

/** The props of IconButton, with those of the element or component that it renders. */
export type IconButtonProps<C extends ElementType = 'button'> = {
  component?: C;
  /** The accessible name, and the tooltip. */
  label: string;
  icon: ReactNode;
  /** plain: no border, 44 px square · ring: a round border, 36 px · tool: for toolbars, 40 px. */
  look?: 'plain' | 'ring' | 'tool';
  className?: string;
} & Omit<ComponentPropsWithRef<C>, 'component' | 'className' | 'children' | 'aria-label'>;

/** A button that shows only an icon, or with component={Link} a link that looks like one. */
export function IconButton<C extends ElementType = 'button'>(props: IconButtonProps<C>) {
  const { component, label, icon, look = 'plain', className = '', ...rest } = props;
  const Root: ElementType = component ?? 'button';
  return (
    <Root
      {...(!component && { type: 'button' })}
      {...rest}
      aria-label={label}
      title={label}
      className={`${classes.root} ${classes[look]} ${className}`}
    >
      {icon}
    </Root>
  );
}
