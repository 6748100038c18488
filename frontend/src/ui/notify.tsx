import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { lazyComponent } from './lazyComponent';

/** A toast. */
export interface Notice {
  /** 'waiting': a bank has not answered yet. Errors have the role alert, the others status. */
  tone: 'success' | 'info' | 'waiting' | 'error';
  title: string;
  /** One sentence. */
  text?: string;
  action?: { label: string; run: () => void };
  /** About a pledge, subscription, payout or payment: stays for 10 s instead of 5. */
  isAboutMoney?: boolean;
  /** A newer notice on the same topic replaces the earlier one. */
  topic?: string;
}

/** A notice with its number on this page, from 0. */
export interface NumberedNotice extends Notice {
  id: number;
}

/** Shows a toast. */
export type Notify = (notice: Notice) => void;

/** Mantine's notifications. Toasts are rare, so they are loaded with the first one. */
export const Notices = lazyComponent(() => import(/* webpackChunkName: "notices" */ './Notices'));

const NotifyContext = createContext<Notify>(() => {
  throw new Error('useNotify needs a <NotifyHost> above it');
});

/** Returns the function that shows a toast. There is no other way to show one. */
export function useNotify(): Notify {
  return useContext(NotifyContext);
}

export interface NotifyHostProps {
  children: ReactNode;
}

/** Renders the toasts of `useNotify`. Use it once, around the app. */
export function NotifyHost({ children }: NotifyHostProps) {
  const [{ waiting, count }, setState] = useState<{ waiting: readonly NumberedNotice[]; count: number }>({
    waiting: [],
    count: 0,
  });
  const notify = useCallback<Notify>((notice) => {
    setState((old) => ({ waiting: [...old.waiting, { ...notice, id: old.count }], count: old.count + 1 }));
  }, []);
  const markShown = useCallback((shown: readonly NumberedNotice[]) => {
    setState((old) => ({ ...old, waiting: old.waiting.filter((notice) => !shown.includes(notice)) }));
  }, []);
  const host = useMemo(
    () => count > 0 && <Notices waiting={waiting} onShown={markShown} />,
    [count, waiting, markShown],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      {host}
    </NotifyContext>
  );
}
