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

beforeEach(() => {
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

afterEach(() => {
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
