import { Button } from './Button';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog';
import classes from './ConfirmDialog.module.css';

export interface ConfirmDialogProps {
  isOpen: boolean;
  /** The question. */
  title: string;
  /** The consequences of confirming. */
  children: ReactNode;
  /** A verb that names the action. */
  confirmLabel: string;
  /** A verb that names the safe choice. */
  cancelLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** The action's request is running. */
  isConfirming?: boolean;
  isDestructive?: boolean;
  /** What is confirmed is seldom meant, though it destroys nothing: its button does not invite. */
  isSeldomMeant?: boolean;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    children,
    confirmLabel,
    cancelLabel,
    onConfirm,
    onCancel,
    isConfirming,
    isDestructive = true,
    isSeldomMeant,
  } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onCancel} title={title}>
      <div className={classes.text}>{children}</div>
      <div className={classes.choices}>
        <Button variant="transparent" onClick={onCancel} data-autofocus>
          {cancelLabel}
        </Button>
        <Button
          variant={isDestructive || isSeldomMeant ? 'outline' : 'filled'}
          color={isDestructive ? 'danger' : undefined}
          loading={isConfirming}
          onClick={onConfirm}
        >
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
