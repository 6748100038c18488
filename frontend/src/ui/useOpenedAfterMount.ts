import { useEffect, useState } from 'react';

/** For lazy dialogs: mounted closed and opened a frame later, because only so does focus come back to the opener. */
export function useOpenedAfterMount(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setShown(isOpen));
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  return isShown;
}
