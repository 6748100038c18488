import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './IconButton.module.css';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children' | 'aria-label'> {
  /** Its name; one to three words. */
  label: string;
  icon: ReactNode;
  /** plain: beside other things · ring: alone in the margin · tool: in a toolbar, where it may stay pressed. */
  look?: 'plain' | 'ring' | 'tool';
}

/** A button that is an icon. */
export function IconButton({ label, icon, look = 'plain', className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`${classes.root} ${classes[look]} ${className}`}
    >
      {icon}
    </button>
  );
}
