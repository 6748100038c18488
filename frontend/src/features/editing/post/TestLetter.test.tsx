import { act, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { installEditor } from '../../../../test/editor';
import { aPostAdmin, servePost } from '../../../../test/posts';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

installEditor();

const address = '/3/hoyry/posts/4/edit/';
const title = () => screen.findByRole('textbox', { name: 'Otsikko' });
const press = () => screen.findByRole('button', { name: 'Lähetä koe minulle' });
const testLetter = content('/campaigns/3/posts/4/test_letter/');

test('right after unpublishing and publishing again, two presses send one test email', async () => {
  const state = servePost(aPostAdmin({ status: 'published' }));
  let sent = 0;
  server.use(
    http.post(testLetter, () => {
      sent += 1;
      return new HttpResponse(null, { status: 202 });
    }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  for (const [name, question, done] of [
    ['Peru julkaisu', 'Perutaanko julkaisu?', 'Päivitys on taas luonnos'],
    ['Julkaise ja lähetä', 'Julkaistaanko päivitys?', 'Päivitys on julkaistu'],
  ] as const) {
    await pointer.click(await screen.findByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name: question });
    await pointer.click(within(dialog).getByRole('button', { name }));
    expect(await screen.findByText(done)).toBeVisible();
  }
  expect(state.post.status).toBe('published');
  const button = await press();
  act(() => {
    button.click();
    button.click();
  });
  expect(await screen.findByText('Koekirje on matkalla sähköpostiisi')).toBeVisible();
  expect(sent).toBe(1);
});

test('if the text cannot be saved no test email is sent, and the page says so', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.type(await title(), '!');
  state.refuse = 503;
  await pointer.click(await press());
  expect(await screen.findByText(/ei ole vielä tallessa palvelimella, joten mitään ei tehty/)).toBeVisible();
});

test.each([
  ['above the limit', 'too_many_requests', 429, /Odota hetki/],
  ['to an address that is not confirmed', 'address_unconfirmed', 403, /Vahvista ensin/],
])('a test email %s is reported as not sent', async (_, status, code, words) => {
  servePost();
  server.use(http.post(testLetter, () => refusal(status, code)));
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await press());
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByText('Koekirje on matkalla sähköpostiisi')).not.toBeInTheDocument();
});
