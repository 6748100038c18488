import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { lazyPart } from './lazyPart';

export interface Notice {
  /** 'waiting' is a bank that has not answered yet. Errors are announced as alerts, all else as status. */
  tone: 'success' | 'info' | 'waiting' | 'error';
  title: string;
  /** One sentence. */
  text?: string;
  action?: { label: string; run: () => void };
  /** Pledges, subscriptions, payouts and payment: stays 10 s in place of 5. */
  isAboutMoney?: boolean;
  /** A newer notice on the same topic takes the place of the one before. */
  topic?: string;
}

export interface NumberedNotice extends Notice {
  id: number;
}

export type Notify = (notice: Notice) => void;

// Toasts are rare, so their library comes with the first one.
export const Notices = lazyPart(() => import(/* webpackChunkName: "notices" */ './Notices'));

const NotifyContext = createContext<Notify>(() => {
  throw new Error('useNotify needs a <NotifyHost> above it');
});

/** The one way to show a passing message. */
export function useNotify(): Notify {
  return useContext(NotifyContext);
}

export interface NotifyHostProps {
  children: ReactNode;
}

/** Shows what `useNotify` is given. Once in the app, around everything. */
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
