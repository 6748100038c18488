import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState, type ComponentType } from 'react';
import { I18nextProvider } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { changeLanguage, makeI18n } from '../i18n';
import { lazyPart } from './lazyPart';
import { TroubleNote } from './TroubleNote';
import { notLoaded } from './untilLoaded';

/** A part whose code comes when the test lets it. */
function aPart(skeleton?: string) {
  const network = { isThere: false, asked: 0 };
  const Part = lazyPart<object>(
    () => {
      network.asked += 1;
      return network.isThere
        ? Promise.resolve({ default: () => <p>the part</p> })
        : Promise.reject(notLoaded('chunk 7 did not load'));
    },
    skeleton ? { skeleton: <p>{skeleton}</p> } : {},
  );
  return { network, Part };
}

async function show(Part: ComponentType, language: 'fi' | 'en' | 'sv' = 'en') {
  const i18n = makeI18n();
  await changeLanguage(i18n, language);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <input aria-label="typed" />
        <button onClick={() => setOpen(true)}>open</button>
        {isOpen && <Part />}
        <TroubleNote />
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

/** Lets time go by, and what follows from it happen. */
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

const setOnline = (isOnline: boolean) =>
  jest.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(isOnline);

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  // What a test left waiting asks no more.
  jest.clearAllTimers();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a part that does not come leaves the page and what was typed, and says so', async () => {
  const { network, Part } = aPart();
  await show(Part);
  expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
  expect(screen.getByRole('status')).toHaveTextContent('Part of the page did not load');
  network.isThere = true;
  await pass(1_000);
  expect(screen.getByText('the part')).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
});

test('it is asked for again, each time after a longer pause', async () => {
  const { network, Part } = aPart();
  await show(Part);
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

test('when the browser is online again, it is asked for at once', async () => {
  setOnline(false);
  const { network, Part } = aPart();
  await show(Part);
  expect(screen.getByRole('status')).toHaveTextContent('You are offline');
  network.isThere = true;
  setOnline(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(0);
  expect(screen.getByText('the part')).toBeVisible();
});

test('it can be asked for by hand', async () => {
  const { network, Part } = aPart();
  await show(Part);
  network.isThere = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(0);
  expect(screen.getByText('the part')).toBeVisible();
});

test('when asking again does not help, the page offers to be loaded anew: there may be another version', async () => {
  const { network, Part } = aPart();
  await show(Part);
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull();
  await pass(3_000);
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  network.isThere = true;
  await pass(10_000);
});

test('a part with a place of its own says it in that place, and only there', async () => {
  const { network, Part } = aPart('still coming');
  network.isThere = false;
  await show(Part);
  expect(screen.queryByText('still coming')).toBeNull();
  expect(screen.getByRole('alert')).toHaveTextContent('This did not load');
  expect(screen.queryByRole('status')).toBeNull();
  network.isThere = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(0);
  expect(screen.getByText('the part')).toBeVisible();
});

test.each([undefined, 'still coming'])(
  'a part that breaks (place: %s) does not take the page with it',
  async (place) => {
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    let isBroken = true;
    const Broken = () => {
      if (isBroken) throw new Error('a mistake of ours');
      return <p>the part</p>;
    };
    const Part = lazyPart(
      () => Promise.resolve({ default: Broken }),
      place ? { skeleton: <p>{place}</p> } : {},
    );
    await show(Part);
    expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(0);
    expect(screen.getByText('the part')).toBeVisible();
  },
);

test('a mistake in the code is not asked for again and again', async () => {
  jest.spyOn(console, 'error').mockReturnValue(undefined);
  const fetchModule = jest.fn(() => Promise.reject(new TypeError('x is not a function')));
  const Part = lazyPart<object>(fetchModule);
  await show(Part);
  await pass(60_000);
  expect(fetchModule).toHaveBeenCalledTimes(1);
  expect(screen.getByLabelText('typed')).toHaveValue('half a sentence');
});

test.each([
  ['fi', 'Osa sivusta ei latautunut'],
  ['sv', 'En del av sidan laddades inte'],
] as const)('in %s it is said too', async (language, words) => {
  const { network, Part } = aPart();
  await show(Part, language);
  expect(screen.getByRole('status')).toHaveTextContent(words);
  network.isThere = true;
  await pass(1_000);
});
