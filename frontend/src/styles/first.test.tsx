import { readFileSync } from 'node:fs';
import path from 'node:path';

// The script of the first paint, run as the browser does: in the head, before the page is parsed.
const script = readFileSync(path.join(__dirname, 'first.js'), 'utf8');

/** A page as the server writes it; its app is a meta element, because a script would be fetched. */
function open({ picture }: { picture: string }) {
  document.head.innerHTML = '<template id="tk-app"><meta name="app" /></template>';
  document.body.innerHTML = `<main class="tk-first"><h1>Otsikko</h1>${picture}</main>`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- this is the file under test
  (new Function(script) as () => void)();
  document.dispatchEvent(new Event('DOMContentLoaded'));
}

const isStarted = () => document.head.querySelector(':scope > meta[name="app"]') !== null;

let decoded: { resolve: () => void; reject: (reason: Error) => void };
let painted: () => void;
let listening: jest.SpyInstance;

beforeEach(() => {
  listening = jest.spyOn(window, 'addEventListener');
  jest.useFakeTimers();
  window.matchMedia = jest.fn().mockReturnValue({ matches: false, addEventListener: jest.fn() });
  HTMLImageElement.prototype.decode = () =>
    new Promise((resolve, reject) => {
      decoded = { resolve, reject };
    });
  window.PerformanceObserver = class {
    constructor(callback: () => void) {
      painted = callback;
    }
    observe() {
      // The tests call the callback themselves.
    }
  } as unknown as typeof PerformanceObserver;
});

// Each page has run the script anew, in the same window.
afterEach(() => {
  const calls = listening.mock.calls as Parameters<typeof window.addEventListener>[];
  for (const [type, listener, options] of calls) window.removeEventListener(type, listener, options);
  listening.mockRestore();
  jest.useRealTimers();
});

const picture = '<img alt="">';

test('without a picture in the server’s HTML the app starts at once', () => {
  open({ picture: '' });
  expect(isStarted()).toBe(true);
});

test('the app starts when the first picture has been painted', async () => {
  open({ picture });
  await jest.advanceTimersByTimeAsync(400);
  expect(isStarted()).toBe(false);
  decoded.resolve();
  await jest.advanceTimersByTimeAsync(0);
  expect(isStarted()).toBe(false);
  painted();
  expect(isStarted()).toBe(true);
});

test('if the browser reports no paint, the app starts 100 ms after the picture is decoded', async () => {
  open({ picture });
  decoded.resolve();
  await jest.advanceTimersByTimeAsync(99);
  expect(isStarted()).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(isStarted()).toBe(true);
});

test('the app starts without the picture after a second, or if the picture cannot be decoded', async () => {
  open({ picture });
  await jest.advanceTimersByTimeAsync(1000);
  expect(isStarted()).toBe(true);

  open({ picture });
  decoded.reject(new Error('no picture'));
  await jest.advanceTimersByTimeAsync(0);
  expect(isStarted()).toBe(true);
});

test.each(['pointerdown', 'keydown'])('a %s starts the app at once, and only once', (type) => {
  open({ picture });
  document.querySelector('h1')?.dispatchEvent(new Event(type, { bubbles: true }));
  expect(isStarted()).toBe(true);
  document.querySelector('h1')?.dispatchEvent(new Event(type, { bubbles: true }));
  expect(document.querySelectorAll('meta[name="app"]')).toHaveLength(1);
});

const appScript = () => document.head.querySelector<HTMLScriptElement>('script[src$="/assets/main.js"]');

/** A page whose app has one script, which is not fetched here. */
function openWithScript(root: string) {
  open({ picture: '' });
  document.head.innerHTML = '<script defer src="/assets/main.js"></script>';
  document.body.innerHTML = `<div id="root">${root}</div>`;
}

test('a script of the app that could not be fetched is fetched again after a pause, or once there is a connection', () => {
  openWithScript('');
  const first = appScript();
  first?.dispatchEvent(new Event('error'));
  jest.advanceTimersByTime(999);
  expect(appScript()).toBe(first);
  jest.advanceTimersByTime(1);
  const second = appScript();
  expect(second).not.toBe(first);
  expect(second).not.toBeNull();

  second?.dispatchEvent(new Event('error'));
  window.dispatchEvent(new Event('online'));
  const third = appScript();
  expect(third).not.toBe(second);
  jest.advanceTimersByTime(60_000);
  expect(appScript()).toBe(third);
});

test.each([
  ['an empty page', '', 'en', 'The page does not load completely. We are trying again.'],
  [
    'a page with words of the server',
    '<main class="tk-first"><h1>Otsikko</h1></main>',
    'fi',
    'Sivu ei lataudu kokonaan.',
  ],
])('%s says at the second failure that it does not load, once', (_, root, language, text) => {
  document.documentElement.lang = language;
  openWithScript(root);
  appScript()?.dispatchEvent(new Event('error'));
  expect(document.querySelector('[role="alert"]')).toBeNull();
  for (let failure = 2; failure < 5; failure += 1) {
    jest.advanceTimersByTime(20_000);
    appScript()?.dispatchEvent(new Event('error'));
  }
  expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
  expect(document.querySelector('#root > main [role="alert"]')).toHaveTextContent(text);
});

test('an app that has started has its own words for what could not be fetched', () => {
  openWithScript('<div>App</div>');
  const first = appScript();
  for (let failure = 0; failure < 3; failure += 1) first?.dispatchEvent(new Event('error'));
  jest.advanceTimersByTime(60_000);
  expect(document.querySelector('[role="alert"]')).toBeNull();
  expect(appScript()).toBe(first);
});
