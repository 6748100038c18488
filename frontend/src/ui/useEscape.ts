import { useEffect, useEffectEvent } from 'react';

/**
 * Has Escape close what is open. It listens only while that is so: a browser renders between two listeners of one press, and a
 * dialog that the first of them opens would be closed by the second. Mantine's listener always listens.
 */
export function useEscape(isOpen: boolean, onEscape: () => void) {
  const close = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isOpen) return undefined;
    const listen = ({ key, isComposing }: KeyboardEvent) => {
      if (key === 'Escape' && !isComposing) close();
    };
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [isOpen]);
}
