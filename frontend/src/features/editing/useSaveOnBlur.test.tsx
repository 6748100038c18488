import { act, renderHook } from '@testing-library/react';
import { useSaveOnBlur } from './useSaveOnBlur';

/** A field whose saves end when the test says so. */
function start() {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const send = (text: string) => {
    sent.push(text);
    return new Promise<undefined>((resolve) => ends.push(() => resolve(undefined)));
  };
  const { result, rerender } = renderHook(
    ({ saved }) => useSaveOnBlur({ name: 'alt-3-fi', userId: 7, saved, send }),
    { initialProps: { saved: '' } },
  );
  const type = (text: string) => act(() => result.current.write(text));
  const leave = () => act(() => void result.current.leave());
  const end = () => act(() => Promise.resolve(ends.shift()?.()));
  return { result, rerender, sent, type, leave, end };
}

afterEach(() => window.localStorage.clear());

test('after a save the field shows what others save, and leaving it without typing sends nothing', async () => {
  const { result, rerender, sent, type, leave, end } = start();
  type('Lautta');
  leave();
  await end();
  expect(result.current).toMatchObject({ value: 'Lautta', isSaved: true });
  rerender({ saved: 'Lautta' });
  rerender({ saved: 'Saunalautta' });
  expect(result.current.value).toBe('Saunalautta');
  leave();
  expect(sent).toEqual(['Lautta']);
});

test('what is typed and left during a save is sent after it', async () => {
  const { result, sent, type, leave, end } = start();
  type('Lautta');
  leave();
  type('Lautta laiturissa');
  leave();
  expect(sent).toEqual(['Lautta']);
  await end();
  expect(sent).toEqual(['Lautta', 'Lautta laiturissa']);
  await end();
  expect(result.current).toMatchObject({ value: 'Lautta laiturissa', isSaved: true });
  expect(window.localStorage).toHaveLength(0);
});

test('what is typed during a save and reverted is sent, too, because the server has the text in between', async () => {
  const { sent, type, leave, end } = start();
  type('Lautta');
  leave();
  type('');
  leave();
  await end();
  expect(sent).toEqual(['Lautta', '']);
});
