import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react';
import classes from './IconButton.module.css';

export type IconButtonProps<C extends ElementType = 'button'> = {
  component?: C;
  /** The accessible name, and the tooltip. */
  label: string;
  icon: ReactNode;
  /** plain: beside other things · ring: alone in the margin · tool: in a toolbar, where it may stay pressed. */
  look?: 'plain' | 'ring' | 'tool';
  className?: string;
} & Omit<ComponentPropsWithRef<C>, 'component' | 'className' | 'children' | 'aria-label'>;

/** A button that shows only an icon, or with component={Link} a link that looks like one. 44 px square, smaller as a tool. */
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
