import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { serveOwnProfile } from '../../../../test/people';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

/** Serves the page; collects what is sent to change the password, which `answer` answers. */
function serve(answer: () => Response = () => new HttpResponse(null, { status: 204 }), more: object = {}) {
  const sent: unknown[] = [];
  serveOwnProfile();
  server.use(
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({
        has_password: true,
        passkeys: [],
        backup_codes_left: 0,
        is_required: false,
        session_has_second_step: false,
        confirmed_until: null,
        ...more,
      }),
    ),
    http.get(content('/users/me/sessions/'), () => HttpResponse.json({ sessions: [] })),
    http.post(content('/users/me/password'), async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
  return sent;
}

/** Whether the page shows a heading after the answers that are here have been rendered. */
async function shows(name: string) {
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  return screen.queryByRole('heading', { name }) !== null;
}

async function open() {
  const { pointer } = await renderAt('/profile/me/security/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Vaihda salasana' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Vaihda salasana' }));
  const send = async (old: string, next: string, again = next) => {
    for (const [label, text] of Object.entries({
      'Nykyinen salasana': old,
      'Uusi salasana': next,
      'Uusi salasana uudelleen': again,
    })) {
      await pointer.clear(dialog.getByLabelText(label));
      await pointer.click(dialog.getByLabelText(label));
      await pointer.paste(text);
    }
    await pointer.click(dialog.getByRole('button', { name: 'Vaihda salasana' }));
  };
  return { dialog, send, pointer };
}

test('the page stands beside the menu of one’s own pages', async () => {
  serve();
  await renderAt('/profile/me/security/', { user: aUser() });
  const menu = within(screen.getByRole('navigation', { name: 'Oma sivusto' }));
  expect(menu.getByRole('link', { current: 'page' })).toHaveAttribute('href', '/profile/me/security/');
});

test('no part stands before the list above it has come, so nothing moves', async () => {
  serve();
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const isSecurityRead = new Promise<void>((resolve) =>
    server.events.on('response:mocked', ({ request }) => {
      if (request.url === content('/users/me/security/')) resolve();
    }),
  );
  server.use(
    http.get(content('/users/me/sessions/'), async () => {
      await isAnswered;
      return HttpResponse.json({ sessions: [] });
    }),
  );
  await renderAt('/profile/me/security/', { user: aUser() });
  await isSecurityRead;
  expect(await shows('Sinun tietosi')).toBe(false);
  answer();
  await screen.findByRole('heading', { name: 'Sinun tietosi' });
});

test('a list of sessions that fails leaves the other parts usable', async () => {
  serve();
  server.use(http.get(content('/users/me/sessions/'), () => HttpResponse.error()));
  await renderAt('/profile/me/security/', { user: aUser() });
  await screen.findByRole('heading', { name: 'Sinun tietosi' });
  const sessions = within(screen.getByRole('region', { name: 'Missä olet kirjautuneena' }));
  expect(await sessions.findByRole('button', { name: 'Yritä uudelleen' })).toBeVisible();
});

test.each([
  ['the same as the old one', 'vanha sana', 'vanha sana', 'vanha sana', 'Uusi salasana', /eri kuin vanha/],
  [
    'typed differently again',
    'vanha sana',
    'uusi sana',
    'usi sana',
    'Uusi salasana uudelleen',
    /eivät ole samat/,
  ],
])('a new password that is %s makes no call', async (_, old, next, again, field, text) => {
  const sent = serve();
  const { dialog, send } = await open();
  await send(old, next, again);
  expect(dialog.getByLabelText(field)).toHaveAccessibleDescription(expect.stringMatching(text));
  expect(dialog.getByLabelText(field)).toHaveFocus();
  expect(sent).toEqual([]);
});

test('a wrong old password is said beside its field, and the new one stays', async () => {
  const message = 'Salasana ei täsmää.';
  const fields = [{ path: 'old_password', rule: 'password_wrong', message }];
  serve(() => refusal('invalid_fields', 422, { fields }));
  const { dialog, send } = await open();
  await send('ei tämä', 'seitsemän kiveä');
  const old = dialog.getByLabelText('Nykyinen salasana');
  await waitFor(() => expect(old).toHaveAccessibleDescription(message));
  expect(old).toHaveFocus();
  expect(dialog.getByLabelText('Uusi salasana')).toHaveValue('seitsemän kiveä');
});

test('the old and the new password are sent, and that other devices are signed out is told', async () => {
  const sent = serve();
  const { send } = await open();
  await send('vanha sana', 'seitsemän kiveä');
  expect(await screen.findByText('Salasana on vaihdettu')).toBeVisible();
  expect(sent).toEqual([{ old_password: 'vanha sana', new_password: 'seitsemän kiveä' }]);
  expect(screen.getByText('Muut laitteesi kirjattiin ulos.')).toBeVisible();
});

test('with a second step the change asks for it, and goes on with what was typed', async () => {
  let isConfirmed = false;
  const sent = serve(
    () => (isConfirmed ? new HttpResponse(null, { status: 204 }) : refusal('confirmation_required', 403)),
    { totp: { added_at: '2026-11-01T10:00:00Z' }, backup_codes_left: 8 },
  );
  server.use(
    http.post(content('/users/me/confirmations/'), () => {
      isConfirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { send, pointer } = await open();
  await send('vanha sana', 'seitsemän kiveä');
  const asked = within(await screen.findByRole('dialog', { name: 'Vahvista, että se olet sinä' }));
  await pointer.fill(asked.getByLabelText('Tunnuslukusovelluksen koodi'), '123456{Enter}');
  expect(await screen.findByText('Salasana on vaihdettu')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual({ old_password: 'vanha sana', new_password: 'seitsemän kiveä' });
});
