import type { ComponentPropsWithRef, ElementType, MouseEvent, ReactNode } from 'react';
import classes from './Button.module.css';

interface ButtonLook {
  /** filled: the main action · light, outline: other actions · subtle, transparent: next to text. */
  variant?: 'filled' | 'light' | 'outline' | 'transparent';
  /** Heights 36, 44, 48 and 56 px. */
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** danger: errors and destructive actions. */
  color?: 'danger';
  leftSection?: ReactNode;
  fullWidth?: boolean;
  /** The request that the button started is running: it shows a spinner and ignores presses, but keeps the focus. */
  loading?: boolean;
  className?: string;
  children?: ReactNode;
}

/** The props of Button, with those of the element or component that it renders. */
export type ButtonProps<C extends ElementType = 'button'> = ButtonLook & { component?: C } & Omit<
    ComponentPropsWithRef<C>,
    keyof ButtonLook | 'component'
  >;

/**
 * A button, or with component={Link} a link that looks like one. Not Mantine's, because it is on every page and Mantine
 * would make the first visit larger.
 */
export function Button<C extends ElementType = 'button'>({
  component,
  variant = 'filled',
  size = 'md',
  color,
  leftSection,
  fullWidth = false,
  loading = false,
  className,
  children,
  ...rest
}: ButtonProps<C>) {
  const Root: ElementType = component ?? 'button';
  const names = [
    classes.root,
    classes[variant],
    classes[size],
    color && classes[color],
    fullWidth && classes.wide,
    className,
  ];
  return (
    <Root
      {...(!component && { type: 'button' })}
      {...rest}
      {...(loading && { 'aria-disabled': true, 'aria-busy': true, onClick: doNothing })}
      className={names.filter(Boolean).join(' ')}
    >
      {leftSection && (
        <span className={classes.section} aria-hidden="true">
          {leftSection}
        </span>
      )}
      <span>{children}</span>
      {loading && <span className={classes.spinner} aria-hidden="true" />}
    </Root>
  );
}

// Also prevents the default, because Enter in a field clicks the submit button too.
const doNothing = (event: MouseEvent) => event.preventDefault();
