import './mantineStyles';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Drawer as MantineDrawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { AppMantineProvider } from './AppMantineProvider';
import { CloseIcon } from './icons';
import classes from './Drawer.module.css';

export interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The accessible name of the close button. */
  closeLabel: string;
  /** A CSS width. */
  size?: string;
  children: ReactNode;
}

/** A modal panel at the right edge of the screen: traps the focus, returns it to the opener, closes on Escape. */
export function Drawer({ isOpen, onClose, title, closeLabel, size = '20rem', children }: DrawerProps) {
  return (
    <AppMantineProvider>
      <MantineDrawer.Root
        opened={isOpen}
        onClose={onClose}
        position="right"
        size={size}
        zIndex="var(--tk-z-menu)"
        classNames={{ content: classes.content, header: classes.header, title: classes.title }}
      >
        <MantineDrawer.Overlay backgroundOpacity={0.56} color="#0d1813" />
        <MantineDrawer.Content>
          <MantineDrawer.Header component="div">
            <MantineDrawer.Title>{title}</MantineDrawer.Title>
            <MantineDrawer.CloseButton aria-label={closeLabel} size="2.75rem" icon={<CloseIcon />} />
          </MantineDrawer.Header>
          <MantineDrawer.Body>{children}</MantineDrawer.Body>
        </MantineDrawer.Content>
      </MantineDrawer.Root>
    </AppMantineProvider>
  );
}
