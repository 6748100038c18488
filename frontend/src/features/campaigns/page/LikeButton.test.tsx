import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../../test/builders';
import { serveCampaign } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

const address = '/3/hoyry/';

test('a visitor who likes is asked to sign in', async () => {
  serveCampaign(aCampaign());
  const { pointer } = await renderAt(address);
  await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 148' }));
  expect(await screen.findByRole('dialog', { name: 'Kirjaudu sisään' })).toBeVisible();
  expect(screen.getByText('Niin tykkäyksesi jää muistiin.')).toBeVisible();
});

test('a like is shown optimistically, and then with the server’s count', async () => {
  serveCampaign(aCampaign());
  let answer: () => void = () => undefined;
  const answered = new Promise<undefined>((resolve) => {
    answer = () => resolve(undefined);
  });
  server.use(
    http.post(content('/campaigns/3/likes/'), async () => {
      await answered;
      return HttpResponse.json({ likes: 160, liked: true });
    }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 148' }));
  expect(await screen.findByRole('button', { name: 'Tykkää · 149', pressed: true })).toBeVisible();
  answer();
  expect(await screen.findByRole('button', { name: 'Tykkää · 160', pressed: true })).toBeVisible();
});

test('a user with an unconfirmed email address is told why a like does not count yet', async () => {
  serveCampaign(aCampaign());
  server.use(
    http.post(content('/campaigns/3/likes/'), () =>
      HttpResponse.json({ likes: 148, liked: true, waits_for_email: true }),
    ),
    http.post(content('/users/me/verification/'), () => new HttpResponse(null, { status: 202 })),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 148' }));
  expect(await screen.findByText('Tykkäyksesi on tallessa')).toBeVisible();
  expect(screen.getByText(/kun olet vahvistanut sähköpostiosoitteesi/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Tykkää · 148', pressed: true })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Lähetä uusi linkki' }));
  expect(await screen.findByText(/Uusi linkki on lähetetty/)).toBeVisible();
});

test('a like that the server refuses is undone', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  serveCampaign(aCampaign({ my_relationships: ['like'] }));
  server.use(http.delete(content('/campaigns/3/likes/'), () => refusal('internal_error', 500)));
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 148', pressed: true }));
  await waitFor(() => expect(warn).toHaveBeenCalledWith('like:', 'internal_error'));
  expect(await screen.findByRole('button', { name: 'Tykkää · 148', pressed: true })).toBeVisible();
  warn.mockRestore();
});
