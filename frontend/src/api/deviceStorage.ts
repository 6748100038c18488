/**
 * A storage of the browser that never throws. What the browser refuses to store (site data blocked, storage full, none
 * in an app's own browser) is kept in memory: for this page, until it is left.
 */
export interface DeviceStorage {
  /** The text that is stored under a name; undefined if there is none. */
  text: (name: string) => string | undefined;
  /** Whether it outlives the page. */
  setText: (name: string, text: string) => boolean;
  /** The value that is stored under a name, if it is of the wanted form: others were not written by this app. */
  json: <Value>(name: string, is: (value: unknown) => value is Value) => Value | undefined;
  /** Whether it outlives the page. */
  setJson: (name: string, value: unknown) => boolean;
  remove: (name: string) => void;
  /** Whether what is stored now outlives the page. */
  lasts: () => boolean;
  /** The names of all that is stored. */
  names: () => string[];
  /** Whether an event is about this storage: another tab has written. */
  isIn: (event: StorageEvent) => boolean;
}

/** Guards a storage. It is a function, because a browser may throw already when it is asked for its storage. */
export function guarded(storage: () => Storage): DeviceStorage {
  const memory = new Map<string, string>();
  const attempt = <Result>(act: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      return act(storage());
    } catch {
      return otherwise;
    }
  };
  const text = (name: string) =>
    memory.get(name) ?? attempt((there) => there.getItem(name), null) ?? undefined;
  const setText = (name: string, value: string) => {
    memory.set(name, value);
    const isStored = attempt((there) => {
      there.setItem(name, value);
      return there.getItem(name) === value;
    }, false);
    if (isStored) memory.delete(name);
    return isStored;
  };
  const remove = (name: string) => {
    memory.delete(name);
    attempt((there) => there.removeItem(name), undefined);
  };
  return {
    text,
    setText,
    json: (name, is) => parsed(text(name), is),
    setJson: (name, value) => setText(name, JSON.stringify(value)),
    remove,
    lasts: () => {
      const isStored = setText('tk-lasts', '1');
      remove('tk-lasts');
      return isStored;
    },
    names: () => [
      ...new Set([
        ...memory.keys(),
        ...attempt((there) => Array.from(there, (_, place) => there.key(place) ?? ''), []),
      ]),
    ],
    isIn: (event) => attempt((there) => event.storageArea !== null && event.storageArea === there, false),
  };
}

/** The device's, for all tabs and later visits (localStorage). */
export const deviceStorage = guarded(() => window.localStorage);

/** The tab's: it survives a reload and a visit to another site (sessionStorage). */
export const tabStorage = guarded(() => window.sessionStorage);

/** Whether a parsed value is an object, whose fields may be anything. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The JSON value of a text, if it is of the wanted form. */
export function parsed<Value>(
  text: string | null | undefined,
  is: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return is(value) ? value : undefined;
  } catch {
    // Truncated, or not written by this app: the same as nothing.
    return undefined;
  }
}
