import { cleanup, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { breakStorage, storageFaults } from '../../../test/brokenStorage';
import { aUser } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { config, fillIn, open, payButton, serve } from '../../../test/checkout';
import { pressSignOut } from '../../../test/menu';
import { serveMethods } from '../../../test/providerB';
import { renderAt } from '../../../test/render';
import { content, server } from '../../../test/server';
import { noPageData } from '../../api/pageData';
import { selectUser } from '../../api/session';

jest.setTimeout(30_000);

aFakeProvider();

/** Runs a test of each fault, which is mended before the test's own clearing up. */
function eachFault(name: string, run: () => Promise<void>) {
  test.each(storageFaults)(`where the storage %s, ${name}`, async (fault) => {
    const mend = breakStorage(fault);
    try {
      await run();
      cleanup();
    } finally {
      mend();
    }
  });
}

eachFault('a pledge is paid once and thanked for', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  await app.pointer.dblClick(payButton());
  expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  expect(sent.pledges).toHaveLength(1);
});

eachFault('no account is debited, which is done on the way back from its bank', async () => {
  serve();
  serveMethods({});
  await renderAt('/3/hoyry/pledge/4', { page: { ...noPageData(), config } });
  expect(await screen.findByText('Maksusivu')).toBeVisible();
  expect(screen.queryByText(/^Suoraveloitus/)).toBeNull();
});

eachFault('who signs in stays so, and may sign out', async () => {
  serve();
  server.use(
    http.post(content('/users/tokens/'), () =>
      HttpResponse.json({ token: { string: 't', expires_at: '' }, user: aUser() }),
    ),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer, store } = await open('/3/hoyry/pledge/4');
  await pointer.fill(screen.getByLabelText('Sähköposti'), 'leena@example.fi');
  await pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
  await pointer.fill(screen.getByLabelText('Salasana'), 'oikea sana');
  await pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(selectUser(store.getState())?.user_id).toBe(7);
  await pressSignOut(pointer);
  await waitFor(() => expect(selectUser(store.getState())).toBeNull());
});
