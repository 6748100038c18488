import { useEffect, useState } from 'react';

/** For lazily loaded dialogs: opens one frame after mounting. Mantine returns the focus to the opener only then. */
export function useOpenedAfterMount(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setShown(isOpen));
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  return isShown;
}
