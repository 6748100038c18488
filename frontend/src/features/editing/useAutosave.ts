import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../api/extra';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Autosaver, type AutosaverOptions, type SaveStatus, type Unsaved } from './autosaver';
import { keptOnDevice } from './kept';

export interface UseAutosaveOptions<Parts> extends Pick<
  AutosaverOptions<Parts>,
  'version' | 'known' | 'isSame' | 'send' | 'delay'
> {
  /** What is written, such as post-4: under this name the device keeps it. */
  name: string;
  /** Who writes. The screen stays theirs when their session ends. */
  userId: number;
}

export interface Autosave<Parts extends object> {
  status: SaveStatus;
  saver: Autosaver<Parts>;
}

/** Screens that were left and still send, by whose and what they write. */
const leaving = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
const keyOf = (userId: number | undefined, name: string) => `${userId}-${name}`;

function track(key: string, left: Promise<void>): void {
  const tell = () => listeners.forEach((listener) => listener());
  leaving.set(key, left);
  void left.finally(() => {
    if (leaving.get(key) === left) leaving.delete(key);
    tell();
  });
  tell();
}

/**
 * Whether an earlier visit to the same text is still sending what was typed last. Whoever returns meanwhile waits with
 * reading it: the server would answer with the text as it was, and the two would look like two people's versions.
 */
export function useIsLeaving(userId: number | undefined, name: string): boolean {
  return useSyncExternalStore(listen, () => leaving.has(keyOf(userId, name)));
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Saves what is typed into a screen by itself; see Autosaver. `saver.unsaved` is at first what an earlier visit left on
 * the device: the screen begins with it. Goes on after signing in, and sends the rest when the screen is left.
 */
export function useAutosave<Parts extends object>(options: UseAutosaveOptions<Parts>): Autosave<Parts> {
  const { name, userId, send, ...rest } = options;
  const dispatch = useAppDispatch();
  const [saver] = useState(
    () =>
      new Autosaver<Parts>({
        ...rest,
        send,
        kept: keptOnDevice<Unsaved<Parts>>(userId, name),
        now: () => dispatch(readNow()),
      }),
  );
  useEffect(() => {
    saver.send = send;
  }, [saver, send]);

  const isSignedIn = useSelector(selectUser)?.user_id === userId;
  useEffect(() => {
    if (isSignedIn) saver.resume();
  }, [isSignedIn, saver]);

  useEffect(() => {
    saver.enter();
    return () => track(keyOf(userId, name), saver.leave());
  }, [saver, userId, name]);
  return { status: useSyncExternalStore(saver.subscribe, saver.getStatus), saver };
}
