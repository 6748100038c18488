import { unsavedKeyPrefix } from '../../api/session';

/** One thing that the device keeps until the server has it. */
export interface Kept<Value extends object> {
  read: () => Value | undefined;
  /** Without a value it is forgotten. */
  write: (value?: Value) => void;
}

/**
 * Unsaved writing on the device: it outlives a reload, a crash and an ended session. It is under its writer's id, so that
 * nobody else who signs in here gets it; signing out by hand removes it.
 */
export function keptOnDevice<Value extends object>(
  userId: number,
  name: string,
  storage: Storage = window.localStorage,
): Kept<Value> {
  const key = `${unsavedKeyPrefix}-${userId}-${name}`;
  return {
    read: () => parse(storage, key) as Value | undefined,
    write: (value) => {
      try {
        if (value) storage.setItem(key, JSON.stringify(value));
        else storage.removeItem(key);
      } catch (error) {
        // Full or switched off: the text is on the page still.
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
    return undefined; // Cut short: the same as nothing.
  }
}
