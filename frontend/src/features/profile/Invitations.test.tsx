import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { serveOwnProfile } from '../../../test/people';
import { renderAt } from '../../../test/render';
import { content, refusal, server, serveNothing } from '../../../test/server';

const invitation = {
  experiment_id: 41,
  title: 'Kirjasto',
  invited_by: 'Noora Laine',
  as_owner: false,
  expires_at: '2026-12-04T10:00:00Z',
};

test('whoever is invited to an experiment sees it on their profile; declining takes it away, and one that is over is said', async () => {
  serveNothing();
  serveOwnProfile();
  let open = [invitation, { ...invitation, experiment_id: 42, title: 'Hylly', as_owner: true }];
  server.use(
    http.get(content('/users/me/invitations/en/'), () => HttpResponse.json({ invitations: open })),
    http.delete(content('/experiments/41/invitation/'), () => {
      open = open.slice(1);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(content('/experiments/42/invitation/'), () => refusal('invitation_expired', 410)),
  );
  const { pointer } = await renderAt('/en/profile/me/', { user: aUser() });
  const part = within(await screen.findByRole('region', { name: 'You are invited to 2 experiments' }));
  expect(part.getByText('Noora Laine invites you to the team of the experiment Kirjasto.')).toBeVisible();
  await pointer.click(part.getAllByRole('button', { name: 'No, thank you' })[0]!);
  await waitFor(() => expect(screen.queryByText(/Kirjasto/)).toBeNull());
  await pointer.click(screen.getByRole('button', { name: 'Become the owner' }));
  expect(await screen.findByText(/has been used, withdrawn or has expired/)).toBeVisible();
});
