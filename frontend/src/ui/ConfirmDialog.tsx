import { Button } from './Button';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog';
import classes from './ConfirmDialog.module.css';

export interface ConfirmDialogProps {
  isOpen: boolean;
  /** A question. */
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The act, as a verb. */
  actLabel: string;
  /** The safe choice, as a verb. */
  stayLabel: string;
  onAct: () => void;
  onStay: () => void;
  /** The act's own request is running. */
  isActing?: boolean;
  isDestructive?: boolean;
}

/** Asks once before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    children,
    actLabel,
    stayLabel,
    onAct,
    onStay,
    isActing,
    isDestructive = true,
  } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onStay} title={title}>
      <div className={classes.text}>{children}</div>
      <div className={classes.choices}>
        <Button variant="transparent" onClick={onStay} data-autofocus>
          {stayLabel}
        </Button>
        <Button
          variant={isDestructive ? 'outline' : 'filled'}
          color={isDestructive ? 'danger' : undefined}
          loading={isActing}
          onClick={onAct}
        >
          {actLabel}
        </Button>
      </div>
    </Dialog>
  );
}
