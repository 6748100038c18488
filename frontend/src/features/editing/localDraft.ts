import { unsavedKeyPrefix } from '../../api/session';

/** A value in the browser's local storage that the server does not have yet. */
export interface LocalDraft<Value extends object> {
  /** Undefined if there is none, or it is unreadable. */
  read: () => Value | undefined;
  /** Without a value, removes it. */
  write: (value?: Value) => void;
}

/**
 * Keeps an unsaved draft in the browser's local storage, where it survives a reload, a crash and an expired session.
 * Its key has the user's id, so that nobody else who signs in here gets it; signing out removes it.
 */
export function localDraft<Value extends object>(
  userId: number,
  name: string,
  storage: Storage = window.localStorage,
): LocalDraft<Value> {
  const key = `${unsavedKeyPrefix}-${userId}-${name}`;
  return {
    read: () => parse(storage, key) as Value | undefined,
    write: (value) => {
      try {
        if (value) storage.setItem(key, JSON.stringify(value));
        else storage.removeItem(key);
      } catch (error) {
        // The storage is full or switched off. The text is still on the page.
        console.warn('kept on device:', error);
      }
    },
  };
}

function parse(storage: Storage, key: string): object | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // Truncated: the same as nothing.
  }
}
