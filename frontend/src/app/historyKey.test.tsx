import { createBrowserRouter } from 'react-router-dom';
import { ensureHistoryKey } from './historyKey';

const keyOfLoad = () => createBrowserRouter([{ path: '*' }]).state.location.key;

test('each full page load has its own history key, and a reload keeps it', () => {
  window.history.replaceState(null, '', '/one/');
  ensureHistoryKey(window.history);
  const first = keyOfLoad();
  ensureHistoryKey(window.history);
  expect(keyOfLoad()).toBe(first);

  window.history.pushState(null, '', '/two/#updates');
  ensureHistoryKey(window.history);
  expect(keyOfLoad()).not.toBe(first);
  expect([first, keyOfLoad()]).not.toContain('default');
});

test('the rest of the history state is kept', () => {
  window.history.replaceState({ usr: { notPaid: 'canceled' }, idx: 3 }, '', '/one/');
  ensureHistoryKey(window.history, () => 'k');
  expect(window.history.state).toEqual({ usr: { notPaid: 'canceled' }, idx: 3, key: 'k' });
});
