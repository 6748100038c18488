import { deviceStorage, tabStorage } from '../src/api/deviceStorage';

/** The ways in which a browser does not store, see breakStorage. */
export const storageFaults = [
  'throws when it is asked for',
  'is not there',
  'throws at each call',
  'is full',
] as const;

/** A browser that does not store. */
export type StorageFault = (typeof storageFaults)[number];

/** Breaks both storages of the page. Returns what mends them. */
export function breakStorage(fault: StorageFault): () => void {
  const throws = (name: string) => () => {
    throw new DOMException('no', name);
  };
  const mends: (() => void)[] = [];
  const get = (getter: () => unknown) => {
    for (const name of ['localStorage', 'sessionStorage'] as const) {
      const real = window[name];
      Object.defineProperty(window, name, { configurable: true, get: getter });
      mends.push(() => Object.defineProperty(window, name, { configurable: true, value: real }));
    }
  };
  const call = (name: 'getItem' | 'setItem' | 'removeItem' | 'key', error: string) => {
    const spy = jest.spyOn(Storage.prototype, name).mockImplementation(throws(error));
    mends.push(() => spy.mockRestore());
  };
  switch (fault) {
    // Site data blocked in Chromium.
    case 'throws when it is asked for':
      get(throws('SecurityError'));
      break;
    // A WebView whose host has not switched storage on.
    case 'is not there':
      get(() => null);
      break;
    case 'throws at each call':
      for (const name of ['getItem', 'setItem', 'removeItem', 'key'] as const) call(name, 'SecurityError');
      break;
    case 'is full':
      call('setItem', 'QuotaExceededError');
      break;
    default:
      fault satisfies never;
  }
  return () => {
    for (const mend of mends) mend();
    // What was kept in memory is not the next test's.
    for (const storage of [deviceStorage, tabStorage])
      for (const name of storage.names()) storage.remove(name);
  };
}
