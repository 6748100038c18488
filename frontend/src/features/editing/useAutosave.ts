import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../api/extra';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Autosaver, type AutosaverOptions, type SaveStatus, type Unsaved } from './autosaver';
import { keptOnDevice } from './kept';

export interface UseAutosaveOptions<Parts> extends Pick<
  AutosaverOptions<Parts>,
  'version' | 'send' | 'delay'
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

/**
 * Saves what is typed into a screen by itself; see Autosaver. `saver.unsaved` is at first what an earlier visit left on
 * the device: the screen begins with it. Goes on after signing in, and sends the rest when the screen is left.
 */
export function useAutosave<Parts extends object>(options: UseAutosaveOptions<Parts>): Autosave<Parts> {
  const { name, userId, version, send, delay } = options;
  const dispatch = useAppDispatch();
  const [saver] = useState(
    () =>
      new Autosaver<Parts>({
        version,
        send,
        delay,
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
    return () => void saver.leave();
  }, [saver]);
  return { status: useSyncExternalStore(saver.subscribe, saver.getStatus), saver };
}
