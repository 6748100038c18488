import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../api/extra';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Autosaver, type AutosaverOptions } from './autosaver';
import type { Unsaved } from './unsaved';
import { localDraft, type LocalDraft } from './localDraft';

export interface UseAutosaveOptions<Parts> extends Pick<
  AutosaverOptions<Parts>,
  'version' | 'known' | 'isSame' | 'send' | 'create' | 'isManual' | 'merge' | 'onMerged' | 'onFixed' | 'delay'
> {
  /** The name under which the device keeps unsaved values, such as post-4. */
  name: string;
  /** The user who edits. The page stays theirs when their session expires. Undefined: nobody has signed in yet. */
  userId: number | undefined;
  /** Where unsaved values are kept instead. */
  draft?: LocalDraft<Unsaved<Parts>>;
  /** Whether a signed-in user's saves are those of this page, if others' than of `userId` may be. */
  isWriter?: (userId: number) => boolean;
}

/** Saves of pages that were left and are still sending, by user and name. */
const lastSaves = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
const keyOf = (userId: number | undefined, name: string) => `${userId}-${name}`;

function track(key: string, left: Promise<void>): void {
  const tell = () => listeners.forEach((listener) => listener());
  lastSaves.set(key, left);
  void left.finally(() => {
    if (lastSaves.get(key) === left) lastSaves.delete(key);
    tell();
  });
  tell();
}

/**
 * Whether an earlier visit to the same text is still saving. Who returns meanwhile has to wait before loading the text:
 * the server would still return the old one, and the save would then look like somebody else's change.
 */
export function useIsStillSaving(userId: number | undefined, name: string): boolean {
  return useSyncExternalStore(listen, () => lastSaves.has(keyOf(userId, name)));
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Autosaves a page; see Autosaver. `saver.unsaved` initially has what an earlier visit left on the device, for the page
 * to start with. Resumes after sign-in, and sends what is unsaved when the page is left.
 */
export function useAutosave<Parts extends object>(options: UseAutosaveOptions<Parts>) {
  const { name, userId, send, create, onFixed, onMerged, draft, ...rest } = options;
  const isWriter = options.isWriter ?? ((id: number) => id === userId);
  const dispatch = useAppDispatch();
  const [saver] = useState(
    () =>
      new Autosaver<Parts>({
        ...rest,
        send,
        create,
        isSignedIn: () => {
          const reader = dispatch((_, getState) => selectUser(getState())?.user_id);
          return reader !== undefined && isWriter(reader);
        },
        localDraft: draft ?? localDraft<Unsaved<Parts>>(userId ?? 0, name),
        now: () => dispatch(readNow()),
      }),
  );
  useEffect(() => {
    saver.callbacks = { send, create, onFixed, onMerged };
  }, [saver, send, create, onFixed, onMerged]);

  const reader = useSelector(selectUser)?.user_id;
  const isSignedIn = reader !== undefined && isWriter(reader);
  useEffect(() => {
    if (isSignedIn) saver.resume();
  }, [isSignedIn, saver]);

  useEffect(() => {
    saver.enter();
    return () => track(keyOf(userId, name), saver.leave());
  }, [saver, userId, name]);
  return { status: useSyncExternalStore(saver.subscribe, saver.getStatus), saver };
}
