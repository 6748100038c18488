import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { anOwnProfile, serveOwnProfile } from '../../../test/people';
import { renderAt } from '../../../test/render';
import { content, server } from '../../../test/server';

const open = async (settings: { email_confirmed: boolean; email_refused_at?: string }) => {
  serveOwnProfile();
  const profile = anOwnProfile();
  server.use(
    http.get(content('/users/me/profile'), () =>
      HttpResponse.json({ profile: { ...profile, settings: { ...profile.settings, ...settings } } }),
    ),
  );
  const page = await renderAt('/profile/me/', { user: aUser() });
  await screen.findByLabelText('Etunimi');
  return page;
};
const refused = { email_refused_at: '2026-11-20T10:00:00Z' };

test('nothing is said while mail arrives', async () => {
  await open({ email_confirmed: true });
  expect(screen.queryByRole('region', { name: 'Posti ei mene perille' })).not.toBeInTheDocument();
});

test.each([
  [true, /Tarkista postilaatikkosi/, 'Kokeile uudelleen'],
  [false, /kirjoitusvirhe/, 'Lähetä vahvistuslinkki'],
])('whose mail is refused reads it and tries again (confirmed: %s)', async (isConfirmed, says, act) => {
  const { pointer } = await open({ email_confirmed: isConfirmed, ...refused });
  let asked = 0;
  server.use(
    http.post(content('/users/me/verification/'), () => {
      asked++;
      return new HttpResponse(null, { status: 202 });
    }),
  );
  const note = screen.getByRole('region', { name: 'Posti ei mene perille' });
  expect(note).toHaveTextContent('20.11. jälkeen');
  expect(note).toHaveTextContent(says);
  await pointer.click(within(note).getByRole('button', { name: act }));
  expect(await screen.findByText(/^Viesti on lähetetty osoitteeseen/)).toBeVisible();
  expect(asked).toBe(1);
});
