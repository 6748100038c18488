import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { fillIn, open, payButton, serve } from '../../../test/checkout';
import { renderAt } from '../../../test/render';
import { content, payments, refusal, server } from '../../../test/server';
import { now } from '../../../test/clock';
import { rememberUnderWay } from '../../api/underWay';

jest.setTimeout(30_000);

aFakeProvider();

const mine = (own: object) =>
  server.use(
    http.get(content('/users/me/backed/3/'), () =>
      HttpResponse.json({ pledges: [], subscriptions: [], ...own }),
    ),
  );
const pledge = {
  pledge_id: '01JD0000000000000000000008',
  status: 'paid',
  amount: 12,
  currency: 'EUR',
  quantity: 1,
  charged_at: '2026-11-20T10:00:00Z',
};
const support = {
  subscription_id: '01JD0000000000000000000009',
  status: 'active',
  amount: 7,
  currency: 'EUR',
  begun_on: '2026-03-20',
};

test('who has pledged already is asked first: nothing is chosen, and no sum is shown', async () => {
  serve();
  mine({ pledges: [pledge] });
  const { pointer } = await renderAt('/3/hoyry/pledge/4', { user: aUser() });
  expect(await screen.findByText('Olet jo antanut tälle 12,00 €. Mitä haluat tehdä?')).toBeVisible();
  for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked();
  expect(screen.getByText('valitse ensin')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Jatka' })).toBeDisabled();
  await pointer.click(screen.getByRole('radio', { name: 'Anna toinen tuki' }));
  await pointer.click(screen.getByRole('button', { name: 'Jatka' }));
  expect(await screen.findByRole('button', { name: 'Valitse maksutapa' })).toBeVisible();
});

test('who supports monthly already may change that, without a charge', async () => {
  serve();
  mine({ subscriptions: [support] });
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign({ stage: 6 }), acl: ['view'] }),
    ),
  );
  const { pointer } = await renderAt('/3/hoyry/pledge/', { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: /^Muuta sitä, joka sinulla on/ }));
  expect(screen.getAllByText(/^0,00/)[0]).toBeVisible();
  expect(screen.getByRole('link', { name: 'Jatka' })).toHaveAttribute(
    'href',
    '/subscriptions/01JD0000000000000000000009/',
  );
});

test('who has support at the bank with its first month is not told that it can be changed now', async () => {
  serve();
  mine({ subscriptions: [{ ...support, status: 'processing' }] });
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign({ stage: 6 }), acl: ['view'] }),
    ),
  );
  await renderAt('/3/hoyry/pledge/', { user: aUser() });
  expect(await screen.findByText('Tukesi 7,00 € kuussa on alkamassa. Mitä haluat tehdä?')).toBeVisible();
  expect(screen.getByRole('radio', { name: /^Katso tukea, joka on alkamassa/ })).toBeVisible();
  expect(screen.queryByRole('radio', { name: /^Muuta/ })).toBeNull();
});

test('who pays in the page is not asked when the list of their own comes again', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  mine({ pledges: [pledge] });
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
});

test.each([
  [{ at: '2026-11-20T11:59:40Z', paid: true }, /on maksettu toisesta ikkunasta.*yhteensä 20,00/],
  [{ at: '2026-11-20T11:59:40Z', paid: false }, /eikä ole vielä maksettu.*yhteensä 20,00/],
])(
  'the same pledge of the account elsewhere (%p) is asked about, and made only if that is wanted',
  async (params, text) => {
    const sent = serve();
    const bodies: { once_more?: boolean }[] = [];
    server.use(
      http.post(content('/campaigns/3/pledges/'), async ({ request }) => {
        const body = (await request.clone().json()) as { once_more?: boolean };
        bodies.push(body);
        return body.once_more ? undefined : refusal('made_before', 409, { params });
      }),
    );
    const app = await open('/3/hoyry/pledge/4', { user: aUser() });
    await app.pointer.click(payButton());
    const question = within(await screen.findByRole('dialog', { name: /^Annoit saman tuen/ }));
    expect(question.getByText(text)).toBeVisible();
    // Paying again is possible, and does not invite.
    expect(question.getByRole('button', { name: /vielä kerran$/ })).toHaveClass('outline');
    expect(screen.queryByRole('alert')).toBeNull();
    await app.pointer.click(question.getByRole('button', { name: 'En maksa uudelleen' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.pledges).toHaveLength(0);
    await app.pointer.click(payButton());
    await app.pointer.click(await screen.findByRole('button', { name: /vielä kerran$/ }));
    await screen.findByText('TK-2026-004183');
    expect(sent.pledges).toHaveLength(1);
    expect(bodies.at(-1)?.once_more).toBe(true);
  },
);

test('what a guest pays is remembered by the browser without name and whole address', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  const kept = window.localStorage.getItem('tk-backed-3') ?? '';
  expect(JSON.parse(kept)).toMatchObject({ amount: 10, mail: 'l···@example.fi' });
  expect(kept).not.toMatch(/Leena|leena/);
});

test('who has pledged already is not asked before a payment of theirs is known', async () => {
  serve();
  mine({ pledges: [pledge] });
  server.use(http.get(payments('/api/pledges/:id/payment'), () => refusal('unavailable', 503)));
  const user = aUser();
  rememberUnderWay(3, user.user_id, () => now, {
    pledgeId: '01JD0000000000000000000007',
    amount: 10,
    at: now,
  });
  await renderAt('/3/hoyry/pledge/4', { user });
  expect(await screen.findByText('Kysymme pankilta, menikö maksu läpi.')).toBeVisible();
  expect(screen.queryByText(/^Olet jo antanut/)).toBeNull();
});
