import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState, type ComponentType } from 'react';
import { I18nextProvider } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { changeLanguage, makeI18n } from '../i18n';
import { lazyComponent } from './lazyComponent';
import { LoadFailureNotice } from './LoadFailureNotice';

/** What the bundler throws when a script cannot be fetched. */
const chunkLoadError = Object.assign(new Error('chunk 7 did not load'), { name: 'ChunkLoadError' });

/** A lazy component whose code loads once the test sets `isThere`. */
function aLazyComponent(skeleton?: string) {
  const network = { isThere: false, asked: 0 };
  const Lazy = lazyComponent<object>(
    () => {
      network.asked += 1;
      return network.isThere
        ? Promise.resolve({ default: () => <p>the content</p> })
        : Promise.reject(chunkLoadError);
    },
    skeleton ? { skeleton: <p>{skeleton}</p> } : {},
  );
  return { network, Lazy };
}

async function show(Lazy: ComponentType, language: 'fi' | 'en' | 'sv' = 'en') {
  const i18n = makeI18n();
  await changeLanguage(i18n, language);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <input aria-label="typed" />
        <button onClick={() => setOpen(true)}>open</button>
        {isOpen && <Lazy />}
        <LoadFailureNotice />
      </>
    );
  }
  const router = createMemoryRouter([{ path: '/', Component: Page }]);
  render(
    <I18nextProvider i18n={i18n}>
      <RouterProvider router={router} />
    </I18nextProvider>,
  );
  fireEvent.change(screen.getByLabelText('typed'), { target: { value: 'half a sentence' } });
  fireEvent.click(screen.getByText('open'));
  await pass(0);
}

/** Advances the fake clock and runs what that triggers. */
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

const setOnline = (isOnline: boolean) =>
  jest.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(isOnline);

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  // Retries that a test left pending.
  jest.clearAllTimers();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a component that cannot be loaded leaves the page as it is, and a notice says so', async () => {
  const { network, Lazy } = aLazyComponent();
  await show(Lazy);
  expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
  expect(screen.getByRole('status')).toHaveTextContent('Part of the page did not load');
  network.isThere = true;
  await pass(1_000);
  expect(screen.getByText('the content')).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
});

test('a failed load is retried after growing pauses', async () => {
  const { network, Lazy } = aLazyComponent();
  await show(Lazy);
  await pass(999);
  expect(network.asked).toBe(1);
  await pass(1);
  expect(network.asked).toBe(2);
  await pass(1_999);
  expect(network.asked).toBe(2);
  await pass(1);
  expect(network.asked).toBe(3);
  network.isThere = true;
  await pass(60_000);
  expect(network.asked).toBe(4);
});

test('a failed load is retried at once when the browser is online again', async () => {
  setOnline(false);
  const { network, Lazy } = aLazyComponent();
  await show(Lazy);
  expect(screen.getByRole('status')).toHaveTextContent('You are offline');
  network.isThere = true;
  setOnline(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(0);
  expect(screen.getByText('the content')).toBeVisible();
});

test('a failed load can be retried by a button', async () => {
  const { network, Lazy } = aLazyComponent();
  await show(Lazy);
  network.isThere = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(0);
  expect(screen.getByText('the content')).toBeVisible();
});

test('after three failures the notice offers a reload, because a deploy may have replaced the file', async () => {
  const { network, Lazy } = aLazyComponent();
  await show(Lazy);
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull();
  await pass(3_000);
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  network.isThere = true;
  await pass(10_000);
});

test('an inline component shows its failure in its own place and nowhere else', async () => {
  const { network, Lazy } = aLazyComponent('still coming');
  network.isThere = false;
  await show(Lazy);
  expect(screen.queryByText('still coming')).toBeNull();
  expect(screen.getByRole('alert')).toHaveTextContent('This did not load');
  expect(screen.queryByRole('status')).toBeNull();
  network.isThere = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(0);
  expect(screen.getByText('the content')).toBeVisible();
});

test.each([undefined, 'still coming'])(
  'an error inside a lazy component (skeleton: %s) does not take down the page',
  async (skeleton) => {
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    let isBroken = true;
    const Broken = () => {
      if (isBroken) throw new Error('a bug');
      return <p>the content</p>;
    };
    const Lazy = lazyComponent(
      () => Promise.resolve({ default: Broken }),
      skeleton ? { skeleton: <p>{skeleton}</p> } : {},
    );
    await show(Lazy);
    expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(0);
    expect(screen.getByText('the content')).toBeVisible();
  },
);

test('an error that is not about loading is not retried', async () => {
  jest.spyOn(console, 'error').mockReturnValue(undefined);
  const fetchModule = jest.fn(() => Promise.reject(new TypeError('x is not a function')));
  const Lazy = lazyComponent<object>(fetchModule);
  await show(Lazy);
  await pass(60_000);
  expect(fetchModule).toHaveBeenCalledTimes(1);
  expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
});

test.each([
  ['fi', 'Osa sivusta ei latautunut'],
  ['sv', 'En del av sidan laddades inte'],
] as const)('the notice is translated: %s', async (language, words) => {
  const { network, Lazy } = aLazyComponent();
  await show(Lazy, language);
  expect(screen.getByRole('status')).toHaveTextContent(words);
  network.isThere = true;
  await pass(1_000);
});
