import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { anAccount } from '../../../test/people';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { PersonAdmin } from '../../api/people';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });

function serveAccounts(people: PersonAdmin[] = [anAccount()]) {
  const asked: string[] = [];
  const changes: { ifMatch: string | null; body: unknown }[] = [];
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
    http.get(content('/users/admin/'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ people, total: people.length });
    }),
    http.patch(content('/users/12/admin/'), async ({ request }) => {
      changes.push({ ifMatch: request.headers.get('If-Match'), body: await request.json() });
      return HttpResponse.json({ person: people[0] });
    }),
  );
  return { asked, changes };
}

test('the pages are for admins alone', async () => {
  await renderAt('/admin/people/', { user: aUser() });
  expect(await screen.findByText('Tämä on vain ylläpitäjille.')).toBeVisible();
});

test('there is no other page of this kind', async () => {
  await renderAt('/admin/secrets/', { user: aUser() });
  expect(await screen.findByRole('heading', { name: 'Tätä sivua ei löydy' })).toBeVisible();
});

test('accounts are searched by name, email and state', async () => {
  const { asked } = serveAccounts();
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  expect(await screen.findByText('bo@example.fi')).toBeVisible();
  await pointer.type(screen.getByRole('searchbox', { name: 'Nimi tai sähköposti' }), 'bo{Enter}');
  await waitFor(() => expect(asked.at(-1)).toContain('keyword=bo'));
  await pointer.click(screen.getByRole('button', { name: 'Estetyt' }));
  await waitFor(() => expect(asked.at(-1)).toContain('keyword=bo&state=blocked'));
});

test('who changes an account that somebody has changed meanwhile is told so, and changes it as it is now', async () => {
  const { changes } = serveAccounts();
  let version = 4;
  server.use(
    http.get(content('/users/admin/'), () =>
      HttpResponse.json({ people: [anAccount({ version })], total: 1 }),
    ),
    http.patch(
      content('/users/12/admin/'),
      () => {
        version = 5;
        return refusal('changed_meanwhile', 412, { version });
      },
      { once: true },
    ),
  );
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta: Bo Berg' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByLabelText('Toimittaja'));
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  expect(await dialog.findByText(/Joku muu on muuttanut/)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  await waitFor(() => expect(changes).toEqual([{ ifMatch: '"5"', body: { scope: ['edit'] } }]));
});

test('somebody is verified and given rights, from the version that was seen', async () => {
  const { changes } = serveAccounts();
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta: Bo Berg' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByRole('switch', { name: 'Vahvistettu tekijä' }));
  await pointer.click(dialog.getByLabelText('Toimittaja'));
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  await waitFor(() =>
    expect(changes).toEqual([{ ifMatch: '"4"', body: { settings: { verified: true }, scope: ['edit'] } }]),
  );
});

test('a block needs a reason and is confirmed', async () => {
  const { changes } = serveAccounts();
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta: Bo Berg' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByRole('button', { name: 'Estä tili' }));
  expect(dialog.getByLabelText('Syy')).toHaveAccessibleDescription(/Tämä tarvitaan|pakollinen/i);
  await pointer.fill(dialog.getByLabelText('Syy'), 'Roskapostia');
  await pointer.click(dialog.getByRole('button', { name: 'Estä tili' }));
  expect(await dialog.findByText('Estetäänkö Bo Berg?')).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Estä tili' }));
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([{ blocked: true, reason: 'Roskapostia' }]),
  );
});

test('rights are changed once the admin has shown that it is them, as they were chosen', async () => {
  const { changes } = serveAccounts();
  let isConfirmed = false;
  server.use(
    http.patch(content('/users/:id/admin/'), () =>
      isConfirmed ? undefined : refusal('confirmation_required', 403),
    ),
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({ has_password: true, email_confirmed: true, passkeys: [], backup_codes_left: 0 }),
    ),
    http.post(content('/users/me/confirmations/'), () => {
      isConfirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta: Bo Berg' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByLabelText('Toimittaja'));
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  await pointer.fill(await screen.findByLabelText('Salasana'), 'seven grey stones{Enter}');
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ scope: ['edit'] }]));
});

test('an admin cannot change their own account', async () => {
  serveAccounts([anAccount({ user_id: admin.user_id, first_name: 'Leena' })]);
  const { pointer } = await renderAt('/admin/people/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta: Leena Berg' }));
  expect(await screen.findByText('Omaa tiliäsi voi muuttaa vain toinen ylläpitäjä.')).toBeVisible();
});

const aStory = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});

test('the audit trail speaks words: acts, fields and values before and after; it is searched by what, who and when', async () => {
  const asked: string[] = [];
  serveAccounts();
  server.use(
    http.get(content('/campaigns/categories/'), () => HttpResponse.json({ categories: [] })),
    http.get(content('/campaigns/tags/'), () =>
      HttpResponse.json({
        tags: [
          { id: 1, label: 'Sauna' },
          { id: 2, label: 'Järvi' },
        ],
      }),
    ),
    http.get(content('/audit/'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({
        entries: [
          {
            id: 1,
            at: '2026-11-20T10:00:00Z',
            by: { user_id: 7, name: 'Leena Hakkarainen', actor: 'user' },
            action: 'admin_change',
            entity: 'user',
            entity_id: '12',
            fields: [
              { path: 'blocked', before: false, after: true, long: false },
              { path: 'reason', before: '', after: 'Roskapostia', long: false },
            ],
          },
          {
            id: 2,
            at: '2026-11-20T09:00:00Z',
            by: { name: '', actor: 'scheduler' },
            action: 'change_language',
            entity: 'campaign',
            entity_id: '3',
            fields: [
              { path: 'fi.json_description', before: aStory('Vanha'), after: aStory('Uusi'), long: false },
              { path: 'tags', before: [1], after: [1, 2], long: false },
              { path: 'stage', before: 1, after: 2, long: false },
              { path: 'a_field_of_tomorrow', before: { on: 1 }, after: { on: 2 }, long: false },
              { path: 'place', before: 'Kuopio', after: 'Kuopio', long: false },
            ],
          },
          {
            id: 3,
            at: '2026-11-20T08:00:00Z',
            by: { name: '', actor: 'user' },
            action: 'an_act_of_tomorrow',
            entity: 'thing',
            entity_id: '1',
            fields: [],
          },
        ],
        total: 3,
      });
    }),
  );
  const { pointer } = await renderAt('/admin/audit/?entity=user&entity_id=12', { user: admin });
  const row = within(await screen.findByRole('row', { name: /^Estetty/ }));
  expect(row.getByText('Ei')).toBeVisible();
  expect(row.getByText('Kyllä')).toBeVisible();
  expect(screen.getByText('Roskapostia')).toBeVisible();
  expect(screen.getByText('Muutti tiliä')).toBeVisible();
  expect(screen.getByText('Tapahtui itsestään')).toBeVisible();
  expect(screen.getByRole('row', { name: 'Tarina · Suomi Vanha Uusi' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'Vaihe Alkaa pian Rahoituksessa' })).toBeVisible();
  expect(await screen.findByRole('row', { name: 'Avainsanat Sauna Sauna, Järvi' })).toBeVisible();
  expect(screen.queryByText('Kuopio')).toBeNull();
  const list = screen
    .getAllByRole('list')
    .map(({ textContent }) => textContent)
    .join(' ');
  expect(list).not.toMatch(/[a-z]_[a-z]|[{}[\]]|scheduler|true|false/);
  expect(asked.at(-1)).toBe('?limit=24&offset=0&entity=user&entity_id=12');
  await pointer.fill(screen.getByLabelText('Kuka'), 'leena@example.fi');
  await pointer.click(screen.getByRole('button', { name: 'Hae' }));
  await waitFor(() => expect(asked.at(-1)).toContain('actor=leena%40example.fi'));
});
