import { deviceStorage, isObject } from '../../api/deviceStorage';
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
export function localDraft<Value extends object>(userId: number, name: string): LocalDraft<Value> {
  const key = `${unsavedKeyPrefix}-${userId}-${name}`;
  return {
    read: () => deviceStorage.json(key, isObject) as Value | undefined,
    write: (value) => {
      if (value) deviceStorage.setJson(key, value);
      else deviceStorage.remove(key);
    },
  };
}
