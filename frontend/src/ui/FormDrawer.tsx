import './mantineStyles';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Drawer as Base } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { AppMantineProvider } from './AppMantineProvider';
import classes from './FormDrawer.module.css';

export interface FormDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  /** The accessible name. */
  label: string;
  header: ReactNode;
  foot: ReactNode;
  children: ReactNode;
}

/**
 * A modal panel with a large form, from the right; on a phone over the whole screen. Its content scrolls between the
 * header and the footer.
 */
export function FormDrawer({ isOpen, onClose, label, header, foot, children }: FormDrawerProps) {
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  // Mantine's own closeOnEscape would also close the drawer when Escape closes a dialog above it. The target is <body>
  // when the focused button has become disabled, such as after saving.
  useEffect(() => {
    const listen = ({ key, target }: KeyboardEvent) => {
      const isHere = target === document.body || (target instanceof Node && panel?.contains(target));
      if (key === 'Escape' && isHere) onClose();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
  return (
    <AppMantineProvider>
      <Base.Root
        opened={isOpen}
        onClose={onClose}
        position="right"
        size="64.5rem"
        zIndex="var(--tk-z-dialog)"
        closeOnEscape={false}
        classNames={{ content: classes.content, inner: classes.inner }}
      >
        <Base.Overlay backgroundOpacity={0.56} color="#0d1813" />
        <Base.Content aria-label={label} ref={setPanel}>
          <div className={classes.header}>{header}</div>
          <div className={classes.body}>{children}</div>
          <div className={classes.foot} data-bottom-bar>
            {foot}
          </div>
        </Base.Content>
      </Base.Root>
    </AppMantineProvider>
  );
}
