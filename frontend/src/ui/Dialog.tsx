import './controlStyles';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from './icons';
import { AppMantineProvider } from './AppMantineProvider';
import { useEscape } from './useEscape';
import { useIsPhone } from './useIsPhone';
import classes from './Dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** A picture at the left from 900 px up, usually a <Picture shape="none">. Makes the dialog wide. */
  aside?: ReactNode;
  /** As wide as one with a picture. */
  isWide?: boolean;
  /** What is at the left is to be read: it stands on paper, in its own height. */
  isAsideText?: boolean;
  /** On a phone it fills the screen. */
  isSheet?: boolean;
  /** Nothing but a press in it closes it. */
  isHeld?: boolean;
}

/** What opened a dialog may be gone by its act, such as a row that has left a list: its page's title has the focus then. */
function keepFocusOnPage() {
  // After the return to the opener, which waits for a moment.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const title = document.querySelector('h1');
    title?.setAttribute('tabindex', '-1');
    title?.focus({ preventScroll: true });
  }, 20);
}

/**
 * A modal dialog: traps the focus, returns it to the opener, closes on Escape. If its code is loaded lazily, open it
 * with useOpenedAfterMount.
 */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    title,
    children,
    aside,
    isWide,
    isAsideText,
    isSheet = false,
    isHeld = false,
  } = props;
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  useEscape(isOpen, () => {
    if (!isHeld) onClose();
  });
  return (
    <AppMantineProvider>
      <Modal.Root
        opened={isOpen}
        onClose={onClose}
        onExitTransitionEnd={keepFocusOnPage}
        centered
        fullScreen={isSheet && isPhone}
        closeOnEscape={false}
        closeOnClickOutside={!isHeld}
        classNames={{
          content: classes.content,
          header: classes.header,
          title: classes.title,
          close: classes.close,
          body: classes.body,
        }}
        size={aside || isWide ? '55rem' : '27.5rem'}
        zIndex="var(--tk-z-dialog)"
        transitionProps={{ transition: 'fade-up', duration: 180, timingFunction: 'ease-out' }}
      >
        <Modal.Overlay backgroundOpacity={0.56} color="#0d1813" />
        <Modal.Content radius={isSheet && isPhone ? 0 : 'xl'}>
          <div className={aside ? classes.split : undefined} data-text={isAsideText}>
            {aside && <div className={classes.aside}>{aside}</div>}
            <div className={classes.main}>
              <Modal.Header component="div">
                <Modal.Title>{title}</Modal.Title>
                <Modal.CloseButton aria-label={t('action.close')} size="2.75rem" icon={<CloseIcon />} />
              </Modal.Header>
              <Modal.Body>{children}</Modal.Body>
            </div>
          </div>
        </Modal.Content>
      </Modal.Root>
    </AppMantineProvider>
  );
}
