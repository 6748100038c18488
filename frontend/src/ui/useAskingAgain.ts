import { useCallback, useEffect, useRef, useState } from 'react';
import { readNow } from '../api/extra';
import { useAppDispatch } from '../api/useAppDispatch';
import { useIsOnline } from './useIsOnline';

/** The pauses before each question, in milliseconds; the last one is repeated. */
const pauses = [8_000, 12_000, 18_000, 27_000, 40_000, 60_000];

/** The pause after so many questions, in milliseconds. */
export const pauseAfter = (asked: number) => pauses[Math.min(asked, pauses.length) - 1];

/** In milliseconds. */
const late = 2 * 3_600_000;

/** After so many questions of its own, some two hours, the page asks only when somebody comes back to it. */
export const askedMost = 120;

/** The repeated question about what was not answered. */
export interface AskingAgain {
  isAsking: boolean;
  /** How often it was asked so far. */
  asked: number;
  /** When last, in milliseconds since 1970. */
  at: number;
  /** It has been asked for two hours in vain: from now on a person has to look into it. */
  isLate: boolean;
  /** Without a connection nothing is asked. */
  isOnline: boolean;
  askNow: () => void;
}

/**
 * Asks while something is unknown: after growing pauses, once the browser is online again, and when somebody comes back to
 * the page. A slow question is not overtaken. It was asked once already when it became unknown; `since`, in milliseconds
 * since 1970, when what is asked about was begun before this visit.
 */
export function useAskingAgain(isUnknown: boolean, ask: () => Promise<unknown>, since?: number): AskingAgain {
  const dispatch = useAppDispatch();
  const isOnline = useIsOnline();
  const [isAsking, setAsking] = useState(false);
  const [{ asked, at }, setAsked] = useState({ asked: 1, at: 0 });
  const isRunning = useRef(false);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const askNow = useCallback(() => {
    if (isRunning.current || !navigator.onLine) return;
    isRunning.current = true;
    setAsking(true);
    void latest.current().finally(() => {
      isRunning.current = false;
      setAsking(false);
      setAsked((before) => ({ asked: before.asked + 1, at: dispatch(readNow()) }));
    });
  }, [dispatch]);

  useEffect(() => {
    if (!isUnknown) return undefined;
    setAsked({ asked: 1, at: dispatch(readNow()) });
    const onReturn = () => {
      if (document.visibilityState === 'visible') askNow();
    };
    window.addEventListener('online', askNow);
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      window.removeEventListener('online', askNow);
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [isUnknown, askNow, dispatch]);

  useEffect(() => {
    if (!isUnknown || isAsking || !isOnline || asked >= askedMost) return undefined;
    const timer = setTimeout(askNow, pauseAfter(asked));
    return () => clearTimeout(timer);
  }, [isUnknown, isAsking, isOnline, asked, askNow]);

  const isLate = asked >= askedMost || (since !== undefined && at - since >= late);
  return { isAsking, asked, at, isLate, isOnline, askNow };
}
