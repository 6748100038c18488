import { useEffect, useRef } from 'react';

/**
 * Makes a call that does nothing once its component has left the page. A dialog that was closed while its call was under way
 * hears of the answer late: another may be open by then, which it must not close.
 */
export function useWhileHere(call: () => void): () => void {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => {
    if (isHere.current) call();
  };
}
