import { createBrowserRouter } from 'react-router-dom';
import { nameEntry } from './historyEntry';

const keyOfLoad = () => createBrowserRouter([{ path: '*' }]).state.location.key;

test('two pages that were loaded whole have a key each, and a reload keeps its own', () => {
  window.history.replaceState(null, '', '/one/');
  nameEntry(window.history);
  const first = keyOfLoad();
  nameEntry(window.history);
  expect(keyOfLoad()).toBe(first);

  window.history.pushState(null, '', '/two/#updates');
  nameEntry(window.history);
  expect(keyOfLoad()).not.toBe(first);
  expect([first, keyOfLoad()]).not.toContain('default');
});

test('what else the entry holds stays', () => {
  window.history.replaceState({ usr: { notPaid: 'canceled' }, idx: 3 }, '', '/one/');
  nameEntry(window.history, () => 'k');
  expect(window.history.state).toEqual({ usr: { notPaid: 'canceled' }, idx: 3, key: 'k' });
});
