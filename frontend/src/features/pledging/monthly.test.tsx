import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aReward, aUser } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { cardError, fillIn, openMonthly, payButton, put } from '../../../test/checkout';
import { renderAt } from '../../../test/render';
import { content, payments, refusal, server } from '../../../test/server';
import {
  aPaying,
  aRecord,
  id,
  levels,
  limited,
  overLimit,
  serveLimits,
  serveMonthly,
  settling,
} from '../../../test/subscription';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

const provider = aFakeProvider();

const choices = () => within(screen.getByRole('group', { name: 'Paljonko kuukaudessa?' }));

test('the amount in the path chooses its level, and says what is charged now and then', async () => {
  serveMonthly();
  await openMonthly('/3/hoyry/pledge/7');
  expect(choices().getByRole('radio', { name: /Toinen rivi/ })).toBeChecked();
  expect(payButton(/^Maksa 7,00.€$/)).toBeVisible();
  const summary = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  expect(summary.getByText(/^20\.12\. ja siitä joka kuun 20\.$/)).toBeVisible();
  expect(screen.queryByRole('radio', { name: /Maksusivu/ })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'Määrä' })).toBeNull();
});

test('an amount without a level is one’s own; typing it changes the path', async () => {
  serveMonthly();
  const { pointer, router } = await openMonthly('/3/hoyry/pledge/9.5');
  expect(choices().getByRole('radio', { name: /Oma summa/ })).toBeChecked();
  const field = screen.getByLabelText('Summa kuukaudessa');
  expect(payButton(/^Maksa 9,50.€$/)).toBeVisible();
  await pointer.clear(field);
  await pointer.type(field, '12');
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/12'));
  expect(field).toHaveValue('12');
});

test('an amount that is too high for a path keeps the page, and its field says what is the most', async () => {
  serveMonthly();
  const app = await openMonthly('/3/hoyry/pledge/9.5');
  const { pointer, router } = app;
  await pointer.clear(screen.getByLabelText('Summa kuukaudessa'));
  await pointer.type(screen.getByLabelText('Summa kuukaudessa'), '1234567');
  await pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await pointer.click(choices().getByRole('radio', { name: /Oma summa/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/'));
  expect(screen.getByLabelText('Summa kuukaudessa')).toHaveValue('1234567');
  await pointer.click(payButton());
  expect(screen.getByLabelText('Summa kuukaudessa')).toHaveAccessibleDescription(/Enintään 100.000/);
});

test('Back chooses by the amount', async () => {
  serveMonthly();
  const { pointer, router } = await openMonthly('/3/hoyry/pledge/7');
  await pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/15'));
  await pointer.click(choices().getByRole('radio', { name: /Oma summa/ }));
  await act(() => router.navigate(-1));
  await waitFor(() => expect(choices().getByRole('radio', { name: /Eturivi/ })).toBeChecked());
  await act(() => router.navigate(-1));
  await waitFor(() => expect(choices().getByRole('radio', { name: /Toinen rivi/ })).toBeChecked());
});

test('what is not an amount is not found', async () => {
  serveMonthly();
  await renderAt('/3/hoyry/pledge/paljon');
  expect(await screen.findByRole('heading', { level: 1, name: /./ })).toBeVisible();
});

test('paying makes the subscription, confirms with its secret and leads to the success page', async () => {
  const { sent } = serveMonthly();
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(
    await screen.findByRole('heading', { level: 1, name: /Kuoro saa sinulta 7.€ kuukaudessa/ }),
  ).toBeVisible();
  expect(app.router.state.location.pathname).toBe('/3/hoyry/subscription-success/');
  expect(provider.confirmed).toEqual([`secret-of-${id}`]);
  expect(sent.made).toHaveLength(1);
  expect(sent.made[0]?.body).toMatchObject({
    amount: 7,
    reward_id: 2,
    email: 'leena@example.fi',
    first_name: 'Leena',
    last_name: 'Hakkarainen',
    subscription_meta: { anonymous: false, hide_amount: false, language: 'fi' },
  });
  expect(sent.changes).toEqual([]);
});

test('one’s own amount goes without a reward, and below the minimum it says so at its field', async () => {
  const { sent } = serveMonthly();
  const app = await openMonthly('/3/hoyry/pledge/', { user: aUser() });
  await app.pointer.click(choices().getByRole('radio', { name: /Oma summa/ }));
  expect(screen.getByLabelText('Summa kuukaudessa')).toHaveValue('1');
  await app.pointer.clear(screen.getByLabelText('Summa kuukaudessa'));
  await put(app, 'Summa kuukaudessa', '0,4');
  await app.pointer.click(payButton());
  expect(screen.getByLabelText('Summa kuukaudessa')).toHaveFocus();
  await app.pointer.clear(screen.getByLabelText('Summa kuukaudessa'));
  await put(app, 'Summa kuukaudessa', '9,50');
  await app.pointer.click(payButton(/^Maksa 9,50/));
  await waitFor(() => expect(sent.made[0]?.body).toMatchObject({ amount: 9.5, reward_id: null }));
});

test('a declined first card keeps everything, and another card pays the same subscription', async () => {
  const { sent } = serveMonthly(aPaying({ status: 'active' }));
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(await screen.findByText(/Valintasi on tallessa\. Kokeile toista korttia\.$/)).toBeVisible();
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  await app.pointer.click(payButton());
  expect(await screen.findByText('TM-2026-000967')).toBeVisible();
  expect(sent.made).toHaveLength(1);
  expect(provider.confirmed).toEqual([`secret-of-${id}`, `secret-of-${id}`]);
});

test('another name or address after a declined card corrects the same subscription', async () => {
  const { sent } = serveMonthly(aPaying({ status: 'active' }));
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText(/Valintasi on tallessa\. Kokeile toista korttia\.$/);
  await app.pointer.clear(screen.getByLabelText('Sähköposti'));
  await put(app, 'Sähköposti', 'toinen@example.fi');
  await app.pointer.click(payButton());
  expect(await screen.findByText('TM-2026-000967')).toBeVisible();
  expect(sent.made).toHaveLength(1);
  expect(sent.changes).toEqual([
    [
      'POST correction',
      {
        email: 'toinen@example.fi',
        first_name: 'Leena',
        last_name: 'Hakkarainen',
        subscription_meta: { anonymous: false, hide_amount: false, language: 'fi' },
      },
    ],
  ]);
  expect(provider.confirmed).toEqual([`secret-of-${id}`, `secret-of-${id}`]);
});

test('of levels of one amount the pressed one is chosen, and stays so', async () => {
  const { sent } = serveMonthly();
  server.use(
    http.get(content('/campaigns/3/rewards/:language/'), () =>
      HttpResponse.json({
        rewards: [
          ...levels,
          aReward({ reward_id: 4, amount: 7, title: 'Kirje kuussa', description: 'Kirje.' }),
        ],
      }),
    ),
  );
  const app = await openMonthly('/3/hoyry/pledge/7');
  expect(choices().getByRole('radio', { name: /Toinen rivi/ })).toBeChecked();
  await app.pointer.click(choices().getByRole('radio', { name: /Kirje kuussa/ }));
  expect(choices().getByRole('radio', { name: /Kirje kuussa/ })).toBeChecked();
  expect(choices().getByRole('radio', { name: /Toinen rivi/ })).not.toBeChecked();
  await fillIn(app);
  await app.pointer.click(payButton());
  await waitFor(() => expect(sent.made[0]?.body).toMatchObject({ amount: 7, reward_id: 4 }));
});

test('when the answer to it is lost it is asked for again, what was typed stays, and the next press pays', async () => {
  const { sent } = serveMonthly();
  server.use(http.post(content('/campaigns/3/subscriptions/'), () => HttpResponse.error(), { once: true }));
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Mitään ei veloitettu\./);
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  expect(provider.confirmed).toEqual([]);
  await app.pointer.click(payButton());
  expect(await screen.findByText('TM-2026-000967')).toBeVisible();
  expect(new Set(sent.made.map(({ key }) => key)).size).toBe(1);
});

test('the success page has a heading and a retry while a service does not answer', async () => {
  serveMonthly();
  let isDown = true;
  server.use(
    http.get(content('/v2/subscriptions/:id/'), () =>
      isDown ? refusal('unavailable', 503) : HttpResponse.json({ subscription: aRecord() }),
    ),
  );
  const { pointer } = await renderAt(`/${id}/_/subscription-success/`);
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  const retry = await screen.findByRole('button', { name: /Yritä uudelleen/ });
  isDown = false;
  await pointer.click(retry);
  expect(await screen.findByText('TM-2026-000967')).toBeVisible();
});

test('a changed amount ends the unpaid subscription before another is made', async () => {
  const { sent, state } = serveMonthly(aPaying({ status: 'created', charges: [] }));
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText(/Valintasi on tallessa\. Kokeile toista korttia\.$/);
  await app.pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await waitFor(() => expect(payButton(/^Maksa 15,00/)).toBeEnabled());
  server.use(
    http.post(payments('/api/subscriptions/:id/cancel'), () => {
      state.paying = aPaying({ status: 'expired', charges: [] });
    }),
  );
  await app.pointer.click(payButton());
  await waitFor(() => expect(sent.made).toHaveLength(2));
  expect(sent.changes[0]).toEqual(['POST cancel', { at: 'now', only_unpaid: true }]);
  expect(sent.made[0]?.key).not.toBe(sent.made[1]?.key);
});

test('an earlier one that turns out to be paid is not ended, and nothing is paid again', async () => {
  const { sent, state } = serveMonthly(aPaying({ status: 'created', charges: [] }));
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText(/Valintasi on tallessa\. Kokeile toista korttia\.$/);
  await app.pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await waitFor(() => expect(payButton(/^Maksa 15,00/)).toBeEnabled());
  state.paying = aPaying();
  await app.pointer.click(payButton());
  expect(await screen.findByText('TM-2026-000967')).toBeVisible();
  expect(sent.changes).toEqual([]);
  expect(provider.confirmed).toHaveLength(1);
});

/** Pays with a card that is refused, and then chooses another amount; `then` becomes of the first meanwhile. */
async function payAnewAfter(then: () => void) {
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText(/Valintasi on tallessa\. Kokeile toista korttia\.$/);
  await app.pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await waitFor(() => expect(payButton(/^Maksa 15,00/)).toBeEnabled());
  then();
  await app.pointer.click(payButton());
}

test('an earlier one that its bank has is not ended, and nothing is paid again: the bank is confirming it', async () => {
  const { sent, state } = serveMonthly(
    aPaying({ status: 'created', charges: [] }),
    aRecord({ status: 'created', charges: [] }),
  );
  await payAnewAfter(() => (state.paying = aPaying(settling)));
  expect(await screen.findByText('Pankki vahvistaa maksua')).toBeVisible();
  expect(screen.queryByText(/jäi kesken/)).toBeNull();
  expect(sent.changes).toEqual([]);
  expect(sent.made).toHaveLength(1);
  expect(provider.confirmed).toHaveLength(1);
});

test.each(['pledge_already_paid', 'pledge_settling'])(
  'an earlier one that is paid while it is given up (%s) goes on, and nothing is paid again',
  async (status) => {
    const { sent, state } = serveMonthly(aPaying({ status: 'created', charges: [] }));
    server.use(
      http.post(payments('/api/subscriptions/:id/cancel'), () => {
        state.paying = aPaying();
        return refusal(status, 409);
      }),
    );
    await payAnewAfter(() => undefined);
    expect(await screen.findByText('TM-2026-000967')).toBeVisible();
    expect(sent.made).toHaveLength(1);
    expect(provider.confirmed).toHaveLength(1);
  },
);

test('an earlier one that was paid and has ended since is not told as one that was not charged', async () => {
  const { sent, state } = serveMonthly(aPaying({ status: 'created', charges: [] }));
  await payAnewAfter(() => {
    state.paying = aPaying({ status: 'canceled', next_charge: undefined });
    state.record = aRecord({ status: 'canceled' });
  });
  expect(await screen.findByRole('heading', { level: 1, name: /Kuoro sai sinulta tukea\./ })).toBeVisible();
  expect(screen.getByText('TM-2026-000967')).toBeVisible();
  expect(screen.queryByText(/Mitään ei veloitettu/)).toBeNull();
  expect(sent.made).toHaveLength(1);
  expect(provider.confirmed).toHaveLength(1);
});

test('a press for one that its bank has leads to its page, which offers no payment', async () => {
  serveMonthly(aPaying(settling), aRecord({ status: 'created', charges: [] }));
  server.use(
    http.post(payments('/api/subscriptions/:id/setup'), () => refusal('subscription_not_payable', 409)),
  );
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(await screen.findByText('Pankki vahvistaa maksua')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Jatka maksamaan' })).toBeNull();
  expect(provider.confirmed).toEqual([]);
});

test('a refusal by the server says why, and what was typed stays', async () => {
  serveMonthly();
  server.use(
    http.post(content('/campaigns/3/subscriptions/'), () => refusal('internal_error', 500), { once: true }),
  );
  const app = await openMonthly('/3/hoyry/pledge/7');
  await fillIn(app);
  await app.pointer.click(payButton());
  expect((await screen.findAllByRole('alert'))[0]).toBeVisible();
  expect(screen.getByLabelText('Etunimi')).toHaveValue('Leena');
  expect(provider.confirmed).toEqual([]);
});

test('the confirmation variant needs only the subscription’s id', async () => {
  serveMonthly();
  await renderAt(`/en/${id}/_/subscription-success/`);
  expect(await screen.findByRole('heading', { level: 1, name: /gets €7 a month from you/ })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Manage your support' })).toHaveAttribute(
    'href',
    `/en/subscriptions/${id}/`,
  );
});

test('the success page waits for the payment that was sent, and offers to pay one that was not', async () => {
  const { state } = serveMonthly(
    aPaying({ status: 'created', charges: [], next_charge: undefined }),
    aRecord({ status: 'created', charges: [] }),
  );
  await renderAt(`/${id}/_/subscription-success/`);
  expect(await screen.findByRole('link', { name: 'Jatka maksamaan' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/7',
  );
  state.paying = aPaying();
});

test('the success page of one that its bank has says so, and offers no payment', async () => {
  serveMonthly(aPaying(settling), aRecord({ status: 'created', charges: [] }));
  await renderAt(`/en/${id}/_/subscription-success/`);
  expect(await screen.findByText('The bank is confirming the payment')).toBeVisible();
  expect(screen.getByText(/^The bank may take some days to confirm\./)).toBeVisible();
  expect(screen.queryByText(/less than a minute/)).toBeNull();
  expect(screen.queryByText('Not paid yet')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Go on to pay' })).toBeNull();
});

test('without a payment in this tab the campaign’s success page thanks in general', async () => {
  serveMonthly();
  server.use(http.get(content('/campaigns/3/posts/preview/'), () => HttpResponse.json({ previews: [] })));
  await renderAt('/3/hoyry/subscription-success/');
  expect(await screen.findByText(/elää kuukausitukijoidensa varassa/)).toBeVisible();
});

/** Refuses the setup as long as the limit is below what the month would come to; counts what was asked. */
function refuseSetup(...refusals: (readonly [limit: number, total: number])[]) {
  const seen: string[] = [];
  server.use(
    http.post(payments('/api/subscriptions/:id/setup'), ({ params }) => {
      seen.push(String(params.id));
      const now = refusals.shift();
      return now ? overLimit(...now) : undefined;
    }),
  );
  return seen;
}

test('what would cross the spending limit is asked about; raising it pays the same subscription, also by a double press', async () => {
  const { sent } = serveMonthly();
  const put = serveLimits(limited(40, true));
  // Another month crosses the raised limit, so that it is asked twice.
  const setups = refuseSetup([4000, 4350], [4400, 5000]);
  const app = await openMonthly('/3/hoyry/pledge/7', { user: aUser() });
  await app.pointer.click(payButton());
  const box = await screen.findByRole('region', { name: /^Joulukuussa lähtisi 43,50/ });
  expect(within(box).getByRole('heading')).toHaveFocus();
  expect(box).toHaveTextContent(/Kattosi on 40,00.€ kuussa\. Mitään ei veloiteta ennen kuin päätät\./);
  expect(screen.queryByText('Maksu ei onnistunut')).toBeNull();
  await app.pointer.dblClick(
    within(box).getByRole('button', { name: /^Nosta katto \(44.€\) ja maksa 7,00.€$/ }),
  );
  const again = await screen.findByRole('region', { name: /^Joulukuussa lähtisi 50,00/ });
  await app.pointer.click(
    within(again).getByRole('button', { name: /^Nosta katto \(50.€\) ja maksa 7,00.€$/ }),
  );
  await waitFor(() => expect(app.router.state.location.pathname).toBe('/3/hoyry/subscription-success/'));
  expect(put).toEqual([
    ['PUT', 'EUR', { amount: 44, counts_pledges: true }],
    ['PUT', 'EUR', { amount: 50, counts_pledges: true }],
  ]);
  expect(setups).toEqual([id, id, id]);
  expect(new Set(sent.made.map(({ key }) => key)).size).toBe(1);
  expect(provider.confirmed).toEqual([`secret-of-${id}`]);
});

test('instead of a higher limit another amount can be chosen, and nothing is charged meanwhile', async () => {
  serveMonthly();
  serveLimits(limited(40));
  refuseSetup([4000, 4400]);
  const app = await openMonthly('/3/hoyry/pledge/7', { user: aUser() });
  await app.pointer.click(payButton());
  const box = within(await screen.findByRole('region', { name: /^Joulukuussa lähtisi/ }));
  await app.pointer.click(box.getByRole('button', { name: 'Valitse toinen summa' }));
  expect(screen.queryByRole('region', { name: /^Joulukuussa lähtisi/ })).toBeNull();
  expect(choices().getAllByRole('radio')[0]).toHaveFocus();
  expect(provider.confirmed).toEqual([]);
});

test('a limit that is not raised says why, and one of another account is not touched', async () => {
  serveMonthly();
  const put = serveLimits(limited(25));
  server.use(
    http.get(content('/users/me/spending-limits/'), () => refusal('unavailable', 503), { once: true }),
  );
  refuseSetup([4000, 4400], [4000, 4400]);
  const app = await openMonthly('/3/hoyry/pledge/7', { user: aUser() });
  await app.pointer.click(payButton());
  const box = within(await screen.findByRole('region', { name: /^Joulukuussa lähtisi/ }));
  const raise = box.getByRole('button', { name: /^Nosta katto/ });
  await app.pointer.click(raise);
  await waitFor(() => expect(box.getByRole('alert')).toHaveTextContent(/^Kattoa ei muutettu\. ./));
  await app.pointer.click(raise);
  expect(await screen.findByText(/Tämä katto on toisella tilillä/)).toBeVisible();
  expect(put).toEqual([]);
});

test('a limit that an earlier press has raised, whose answer was lost, is not another account’s', async () => {
  serveMonthly();
  const put = serveLimits(limited(44));
  const setups = refuseSetup([4000, 4400]);
  const app = await openMonthly('/3/hoyry/pledge/7', { user: aUser() });
  await app.pointer.click(payButton());
  await app.pointer.click(await screen.findByRole('button', { name: /^Nosta katto/ }));
  await waitFor(() => expect(setups).toHaveLength(2));
  expect(put).toEqual([]);
});

test('the question about the limit is hidden while another sum is chosen, of which its figures say nothing', async () => {
  serveMonthly();
  serveLimits(limited(40));
  refuseSetup([4000, 4400]);
  const app = await openMonthly('/3/hoyry/pledge/7', { user: aUser() });
  await app.pointer.click(payButton());
  const box = { name: /^Joulukuussa lähtisi/ };
  await screen.findByRole('region', box);
  await app.pointer.click(choices().getByRole('radio', { name: /Eturivi/ }));
  await waitFor(() => expect(screen.queryByRole('region', box)).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(payButton(/^Maksa 15,00.€$/)).toBeVisible();
  await app.pointer.click(choices().getByRole('radio', { name: /Toinen rivi/ }));
  expect(await screen.findByRole('region', box)).toBeVisible();
});
