import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { cardError, config, fillIn, open, payButton, serve, type App } from '../../../test/checkout';
import { renderAt } from '../../../test/render';
import { payments, server } from '../../../test/server';
import { noPageData } from '../../api/pageData';
import { sessionEnded } from '../../api/session';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

const provider = aFakeProvider();

/** Presses Pay and loses every answer, so that nobody knows what came of it; `answers` brings them back. */
async function loseAnswer(app: App) {
  let isDown = true;
  server.use(
    http.get(payments('/api/pledges/:id/payment'), () => (isDown ? HttpResponse.error() : undefined)),
  );
  provider.results = [cardError({ type: 'api_connection_error' })];
  await app.pointer.click(payButton());
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  return {
    answers: () => {
      isDown = false;
    },
  };
}

async function signOut({ store, unmount }: App) {
  act(() => void store.dispatch(sessionEnded('signedOut')));
  await waitFor(() => expect(window.sessionStorage.getItem('tk-pledge')).toBeNull());
  unmount();
}

test('what an account left under way is not offered to who uses the browser next, and found when it is back', async () => {
  const sent = serve();
  const first = await open('/3/hoyry/pledge/4', { user: aUser({ email: 'aino@example.fi' }) });
  const { answers } = await loseAnswer(first);
  await signOut(first);

  const guest = await open('/3/hoyry/pledge/4');
  expect(screen.queryByText('Älä maksa uudelleen.')).toBeNull();
  await fillIn(guest);
  answers();
  await guest.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  // Nothing of the account's is touched: the guest may not release it either.
  expect(sent.released).toEqual([]);
  expect(new Set(sent.pledges.map(({ key }) => key)).size).toBe(2);
  guest.unmount();

  server.use(http.get(payments('/api/pledges/:id/payment'), () => HttpResponse.error()));
  await renderAt('/3/hoyry/pledge/4', { user: aUser(), page: { ...noPageData(), config } });
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  window.localStorage.clear();
});

test('a guest’s is gone when somebody signs out, with what opens it, and found by who fills in the same form', async () => {
  const sent = serve();
  const guest = await open('/3/hoyry/pledge/4');
  await fillIn(guest);
  const { answers } = await loseAnswer(guest);
  guest.unmount();

  const other = await renderAt('/info/money/', { user: aUser({ user_id: 8 }) });
  await signOut(other);
  expect(Object.keys(window.localStorage).filter((name) => name.startsWith('tk-under-way'))).toEqual([]);

  const back = await open('/3/hoyry/pledge/4');
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('');
  expect(screen.queryByText('Älä maksa uudelleen.')).toBeNull();
  answers();
  await fillIn(back);
  await back.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(new Set(sent.pledges.map(({ key }) => key)).size).toBe(1);
  expect(sent.released).toEqual([]);
});
