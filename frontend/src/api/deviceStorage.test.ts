import { guarded, isObject, type DeviceStorage } from './deviceStorage';

const throws = (name: string) => (): never => {
  throw new DOMException('no', name);
};

/** A working storage, of which `broken` methods are replaced. */
function aStorage(broken: Partial<Storage> = {}): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    key: (place) => [...kept.keys()][place] ?? null,
    clear: () => kept.clear(),
    get length() {
      return kept.size;
    },
    ...broken,
  };
}

const refusing: [string, () => Storage][] = [
  ['throws when it is asked for its storage', throws('SecurityError')],
  // A WebView whose host has not switched storage on.
  ['has no storage', () => null as unknown as Storage],
  ['is full', () => aStorage({ setItem: throws('QuotaExceededError') })],
  [
    'refuses each call',
    () =>
      aStorage({
        getItem: throws('SecurityError'),
        setItem: throws('SecurityError'),
        removeItem: throws('SecurityError'),
        key: throws('SecurityError'),
      }),
  ],
  ['stores nothing, without a word', () => aStorage({ setItem: () => undefined })],
];

/** Writes, reads and removes, as every caller does. */
function use(storage: DeviceStorage) {
  storage.setJson('a', { sum: 45 });
  storage.setText('b', 'dark');
  const read = [storage.json('a', isObject), storage.text('b'), storage.names().sort()];
  storage.remove('a');
  return [...read, storage.json('a', isObject), storage.names()];
}
const used = [{ sum: 45 }, 'dark', ['a', 'b'], undefined, ['b']];

test.each(refusing)('in a browser that %s, this page has what was stored', (_, storage) => {
  const device = guarded(storage);
  expect(use(device)).toEqual(used);
  expect(device.setText('c', '1')).toBe(false);
  expect(device.isIn({ key: 'c', storageArea: null } as StorageEvent)).toBe(false);
});

test('what is stored is there on the next visit', () => {
  const storage = aStorage();
  expect(use(guarded(() => storage))).toEqual(used);
  expect(guarded(() => storage).text('b')).toBe('dark');
});

test('a storage that was full and has room again is used again', () => {
  let isFull = true;
  const storage = aStorage();
  const full = aStorage({ setItem: throws('QuotaExceededError') });
  const device = guarded(() => (isFull ? full : storage));
  expect(device.setText('a', 'old')).toBe(false);
  isFull = false;
  expect(device.setText('a', 'new')).toBe(true);
  expect(guarded(() => storage).text('a')).toBe('new');
  expect(device.text('a')).toBe('new');
});

test.each(['{"a":', 'undefined', '[]', '"text"', 'null', ''])('a stored %p is no object of ours', (text) => {
  const storage = aStorage();
  storage.setItem('a', text);
  const isOurs = (value: unknown): value is object => isObject(value) && !Array.isArray(value);
  expect(guarded(() => storage).json('a', isOurs)).toBeUndefined();
});
