import { useEffect, useState } from 'react';
import { readNow } from '../api/extra';
import { useAppDispatch } from '../api/useAppDispatch';

const minute = 60_000;

/** The store's time in milliseconds, updated every minute. */
export function useNow(): number {
  const dispatch = useAppDispatch();
  const [now, setNow] = useState(() => dispatch(readNow()));
  useEffect(() => {
    const timer = setInterval(() => setNow(dispatch(readNow())), minute);
    return () => clearInterval(timer);
  }, [dispatch]);
  return now;
}
