import { useEffect, useEffectEvent } from 'react';

/** What is open, the last opened at the end. */
const opened: object[] = [];

/**
 * Has Escape close what is open, of several the last opened alone: what was typed below a question stays when the question is
 * closed. It listens only while it is open: a browser renders between two listeners of one press, and a dialog that the first
 * of them opens would be closed by the second. Mantine's listener always listens.
 */
export function useEscape(isOpen: boolean, onEscape: () => void) {
  const close = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isOpen) return undefined;
    const self = {};
    opened.push(self);
    const listen = ({ key, isComposing }: KeyboardEvent) => {
      if (key === 'Escape' && !isComposing && opened.at(-1) === self) close();
    };
    window.addEventListener('keydown', listen, true);
    return () => {
      window.removeEventListener('keydown', listen, true);
      opened.splice(opened.indexOf(self), 1);
    };
  }, [isOpen]);
}
