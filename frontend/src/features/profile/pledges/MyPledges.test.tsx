import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { now } from '../../../../test/clock';
import { aCampaign, anOwnPledge, aPreview, aUser } from '../../../../test/builders';
import { serveCampaign } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import { rememberUnderWay } from '../../../api/underWay';
import type { OwnPledge, PledgeChange } from '../../../api/own';

jest.setTimeout(30_000);

const address = {
  address_street: 'Opintie 14 B 3',
  address_postcode: '72400',
  address_city: 'Pielavesi',
  address_country: 'FI',
  address_phone: '',
};
const open = { address, state: 'open', locks_at: '2027-04-30T21:00:00Z' } as const;

// The menu beside the page does without a picture.
beforeEach(() => server.use(http.get(content('/users/me/profile'), () => refusal('unavailable', 503))));

/** Serves pledges, and changes them as asked. */
function serve(...pledges: OwnPledge[]) {
  const seen: { changes: PledgeChange[]; shows: (string | null)[] } = { changes: [], shows: [] };
  server.use(
    http.get(content('/users/me/pledges/:language/'), ({ request }) => {
      const show = new URL(request.url).searchParams.get('show');
      seen.shows.push(show);
      const isOver = ({ status }: OwnPledge) => status === 'refunded' || status === 'failed';
      const shown = pledges.filter((one) => !show || (show === 'over') === isOver(one));
      const over = pledges.filter(isOver).length;
      return HttpResponse.json({
        pledges: shown,
        total: shown.length,
        going_on: pledges.length - over,
        over,
        sums: [{ currency: 'EUR', held: 45, on_its_way: 32, contested: 0, returned: 30 }],
      });
    }),
    http.patch(content('/pledges/:id/'), async ({ request, params }) => {
      const change = (await request.json()) as PledgeChange;
      seen.changes.push(change);
      const at = pledges.findIndex(({ pledge_id }) => pledge_id === params.id);
      const { name_shown, hide_amount, address: moved } = change;
      const before = pledges[at]!;
      pledges[at] = {
        ...before,
        ...(name_shown && { name_shown }),
        ...(hide_amount !== undefined && { hide_amount }),
        ...(moved && { shipping: { ...open, address: { ...address, ...moved } } }),
      };
      return HttpResponse.json({ pledge: pledges[at] });
    }),
  );
  return seen;
}

const returned = anOwnPledge({
  pledge_id: '01JD0000000000000000000002',
  status: 'refunded',
  refunded_at: '2026-11-20T12:00:00Z',
  amount: 30,
  receipt_number: 'TK-2026-002904',
  campaign: aPreview({ campaign_id: 4, title: 'Elokuvakontti', stage: 4 }),
});
const show = (user = aUser()) => renderAt('/profile/me/pledges/', { user });
const pledge = (name: RegExp) => screen.findByRole('region', { name });

test.each([
  ['campaign_canceled', 'Kampanja suljettiin ennen loppuaan. Koko summa palautuu'],
  ['campaign_failed', 'Kampanjan tavoite ei täyttynyt. Koko summa palautuu'],
])('what went back says why (%s)', async (refund_reason, words) => {
  serve({ ...returned, refund_reason });
  await show();
  expect(await pledge(/Elokuvakontti/)).toHaveTextContent(words);
});

test('what went back because the campaign was stopped says so, and nothing of it stands among the backers', async () => {
  const campaign = aPreview({ stage: 5, hold: 'stopped' });
  serve({ ...returned, campaign, refund_reason: 'campaign_canceled' });
  await show();
  const gone = await pledge(new RegExp(campaign.title));
  expect(gone).toHaveTextContent('Talkoot pysäytti kampanjan. Koko summa palautuu');
  expect(within(gone).queryByText(/Näkyy nyt/)).not.toBeInTheDocument();
});

test('each pledge says where its money is, and the sums are above them', async () => {
  serve(anOwnPledge(), returned);
  await show();
  const held = await pledge(/Höyry/);
  expect(within(held).getByRole('heading', { name: 'Rahasi on tallessa' })).toBeVisible();
  expect(
    within(held).getByText(/Jos 24.000.€ ei täyty 26\.11\.2026 mennessä, saat kaiken takaisin/),
  ).toBeVisible();
  const stops = within(within(held).getByRole('list', { name: 'Missä raha on' })).getAllByRole('listitem');
  expect(stops).toHaveLength(5);
  expect(stops[3]).toHaveAttribute('aria-current', 'step');
  expect(stops[3]).toHaveTextContent(/Tallessa, nyt/);
  expect(within(await pledge(/Elokuvakontti/)).getByText('Palautettu sinulle 20.11.')).toBeVisible();
  expect(screen.getByText('tallessa').nextSibling).toHaveTextContent(/45,00.€/);
});

test('a payment that is confirmed after the page was opened shows by itself', async () => {
  const reserved_until = new Date(now + 600_000).toISOString();
  const unpaid = anOwnPledge({ status: 'awaiting_payment', charged_at: undefined, reserved_until });
  const pledges = [unpaid];
  server.use(
    http.get(content('/users/me/pledges/:language/'), () =>
      HttpResponse.json({ pledges, total: 1, going_on: 1, over: 0, sums: [] }),
    ),
  );
  await show();
  expect(await screen.findByRole('heading', { name: 'Maksu on kesken' })).toBeVisible();
  pledges[0] = anOwnPledge();
  expect(
    await screen.findByRole('heading', { name: 'Rahasi on tallessa' }, { timeout: 10_000 }),
  ).toBeVisible();
});

test('the filter is in the address', async () => {
  const seen = serve(anOwnPledge(), returned);
  const { pointer, router } = await show();
  await pledge(/Höyry/);
  await pointer.click(screen.getByRole('button', { name: /Palautetut/ }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /Höyry/ })).toBeNull());
  expect(router.state.location.search).toBe('?show=over');
  expect(seen.shows.at(-1)).toBe('over');
});

test('the sum is hidden from others on its own', async () => {
  const seen = serve(anOwnPledge());
  const { pointer } = await show();
  const held = await pledge(/Höyry/);
  const sums = within(within(held).getByRole('group', { name: 'Näkyykö summa tukijoissa' }));
  expect(sums.getByRole('radio', { name: 'Näkyy' })).toBeChecked();
  await pointer.click(sums.getByRole('radio', { name: 'Ei näy' }));
  expect(await within(held).findByText('Summaa ei näytetä')).toBeVisible();
  expect(within(held).getByRole('radio', { name: 'Koko nimi' })).toBeChecked();
  expect(seen.changes).toEqual([{ hide_amount: true }]);
});

test('the name is changed by a press, and a refusal is told and leaves it as it was', async () => {
  const seen = serve(anOwnPledge());
  const { pointer } = await show();
  const held = await pledge(/Höyry/);
  await pointer.click(within(held).getByRole('radio', { name: 'Leena H.' }));
  await waitFor(() => expect(within(held).getByRole('radio', { name: 'Leena H.' })).toBeChecked());
  expect(await within(held).findByText('Tallennettu')).toBeInTheDocument();
  expect(seen.changes).toEqual([{ name_shown: 'initial' }]);

  server.use(http.patch(content('/pledges/:id/'), () => refusal('unavailable', 503)));
  await pointer.click(within(held).getByRole('radio', { name: 'Nimetön' }));
  expect(await within(held).findByText(/Ei tallentunut/)).toBeVisible();
  expect(within(held).getByRole('radio', { name: 'Leena H.' })).toBeChecked();
});

test('the address is changed until it is locked', async () => {
  const seen = serve(anOwnPledge({ shipping: open }));
  const { pointer } = await show();
  const held = await pledge(/Höyry/);
  expect(
    within(held).getByText(/Voit muuttaa, kunnes tekijä alkaa pakata, viimeistään 30\.4\.2027 klo 23\.59\./),
  ).toBeVisible();
  await pointer.click(within(held).getByRole('button', { name: 'Muuta osoite' }));
  const form = within(await screen.findByRole('dialog', { name: 'Muuta osoite' }));
  const street = form.getByLabelText('Katuosoite');
  await pointer.clear(street);
  await pointer.click(form.getByRole('button', { name: 'Tallenna osoite' }));
  expect(street).toHaveFocus();
  expect(seen.changes).toEqual([]);
  await pointer.fill(street, 'Savutie 3');
  await pointer.click(form.getByRole('button', { name: 'Tallenna osoite' }));
  expect(await within(held).findByText(/Savutie 3, 72400 Pielavesi/)).toBeVisible();
  expect(seen.changes).toEqual([{ address: { ...address, address_street: 'Savutie 3' } }]);
});

test('what was typed stays when saving fails', async () => {
  serve(anOwnPledge({ shipping: open }));
  server.use(http.patch(content('/pledges/:id/'), () => refusal('address_locked', 409)));
  const { pointer } = await show();
  const held = await pledge(/Höyry/);
  await pointer.click(within(held).getByRole('button', { name: 'Muuta osoite' }));
  const form = within(await screen.findByRole('dialog', { name: 'Muuta osoite' }));
  const street = form.getByLabelText('Katuosoite');
  await pointer.clear(street);
  await pointer.fill(street, 'Savutie 3');
  await pointer.click(form.getByRole('button', { name: 'Tallenna osoite' }));
  expect(await form.findByText(/Osoitetta ei voi enää muuttaa/)).toBeVisible();
  expect(street).toHaveValue('Savutie 3');
});

test('a locked address says why, and has no button', async () => {
  serve(anOwnPledge({ shipping: { address, state: 'packed', locked_at: '2026-10-05T10:00:00Z' } }));
  await show();
  const held = await pledge(/Höyry/);
  expect(
    within(held).getByText('Osoitteesi lukittiin 5.10.2026, kun tekijä otti osoitteet pakkaamista varten.'),
  ).toBeVisible();
  expect(within(held).queryByRole('button', { name: 'Muuta osoite' })).toBeNull();
});

test('one receipt is open at a time, with its number, lines and refund', async () => {
  serve(anOwnPledge(), { ...returned, amount_refunded: 30 });
  const { pointer } = await show();
  const [held, gone] = [await pledge(/Höyry/), await pledge(/Elokuvakontti/)];
  await pointer.click(within(held).getByRole('button', { name: 'Näytä kuitti' }));
  expect(within(held).getByRole('button', { name: 'Tulosta' })).toBeVisible();
  await pointer.click(within(gone).getByRole('button', { name: 'Näytä kuitti' }));
  expect(within(held).queryByRole('button', { name: 'Tulosta' })).toBeNull();
  const receipt = within(gone).getByRole('region', { name: 'Kuitti' });
  expect(receipt).toHaveTextContent('TK-2026-002904');
  expect(within(receipt).getByText('Palautettu').nextSibling).toHaveTextContent(/30,00.€/);
});

test('an unpaid pledge leads back to paying', async () => {
  serve(
    anOwnPledge({ status: 'created', receipt_number: undefined, paid_at: undefined, charged_at: undefined }),
  );
  await show();
  const waiting = await pledge(/Höyry/);
  expect(
    within(waiting).getByText(/Mitään ei ole veloitettu\. Varauksesi on voimassa klo 14\.30 asti\./),
  ).toBeVisible();
  expect(within(waiting).getByRole('link', { name: 'Jatka maksamaan' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/5',
  );
});

test('nothing yet, nobody signed in, and a failure are said', async () => {
  serve();
  const { unmount } = await show();
  expect(await screen.findByText('Et ole vielä tukenut kampanjoita')).toBeVisible();
  unmount();
  window.localStorage.clear();
  const signedOut = await renderAt('/profile/me/pledges/');
  expect(screen.getByText('Kirjaudu, niin näet tukesi')).toBeVisible();
  signedOut.unmount();
  server.use(http.get(content('/users/me/pledges/:language/'), () => refusal('unavailable', 503)));
  await show();
  expect(await screen.findByRole('button', { name: 'Yritä uudelleen' })).toBeVisible();
});

test('an address abroad is shown with its country, one at home without', async () => {
  const abroad = { ...address, address_postcode: '0150', address_city: 'Oslo', address_country: 'NO' };
  serve(
    anOwnPledge({ shipping: open }),
    anOwnPledge({ pledge_id: '01JD0000000000000000000006', shipping: { ...open, address: abroad } }),
  );
  await show();
  expect(await screen.findByText('Opintie 14 B 3, 0150 Oslo, Norja')).toBeVisible();
  expect(screen.getByText('Opintie 14 B 3, 72400 Pielavesi')).toBeVisible();
});

describe('a payment of which this browser has seen no answer', () => {
  const waiting = anOwnPledge({ status: 'awaiting_payment', amount: 45, receipt_number: undefined });
  const left = (userId?: number) =>
    rememberUnderWay(waiting.campaign.campaign_id, userId, () => now, {
      pledgeId: waiting.pledge_id,
      amount: 45,
      at: now - 60_000,
    });
  beforeEach(() => {
    jest.spyOn(console, 'warn').mockReturnValue(undefined);
    server.use(http.get(payments('/api/pledges/:id/payment'), () => refusal('unavailable', 503)));
  });
  afterEach(() => jest.restoreAllMocks());

  test('is told at its pledge, in place of the button that pays', async () => {
    serve(waiting);
    const user = aUser();
    left(user.user_id);
    await show(user);
    const box = within(await pledge(/./));
    expect(await box.findByText(/^Emme tiedä vielä, veloittiko pankkisi 45,00/)).toBeVisible();
    expect(box.queryByRole('link', { name: 'Jatka maksamaan' })).toBeNull();
    expect(screen.getAllByText(/^Emme tiedä vielä/)).toHaveLength(1);
  });

  test('is told to a guest, who sees no pledges, with its campaign', async () => {
    serveCampaign(aCampaign({ campaign_id: waiting.campaign.campaign_id, title: 'Höyry' }));
    left();
    await renderAt('/profile/me/pledges/');
    expect(await screen.findByText(/^Emme tiedä vielä, veloittiko pankkisi 45,00/)).toBeVisible();
    expect(screen.getByText('Höyry')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Katso, missä mennään' })).toHaveAttribute(
      'href',
      `/${waiting.campaign.campaign_id}/hoyry/pledge/`,
    );
  });
});

test('a reward whose title is in another language than the page says so, in its receipt too; of one from before, nobody knows', async () => {
  const lines = [
    { label: 'En kväll för två', amount: 45 },
    { label: 'Kirjeenä', amount: 6.5 },
  ];
  const title = { reward_title: 'En kväll för två', reward_id: 5, lines };
  serve(
    anOwnPledge({ ...title, reward_language: 'sv' }),
    anOwnPledge({
      ...title,
      pledge_id: '01JD0000000000000000000003',
      campaign: aPreview({ title: 'Vanha' }),
    }),
  );
  const { pointer } = await show();
  const foreign = await pledge(/Höyry/);
  expect(within(foreign).getByText('En kväll för två')).toHaveAttribute('lang', 'sv');
  await pointer.click(within(foreign).getByRole('button', { name: 'Näytä kuitti' }));
  const [, onReceipt] = within(foreign).getAllByText('En kväll för två');
  expect(onReceipt).toHaveAttribute('lang', 'sv');
  expect(within(foreign).getByText('Kirjeenä')).not.toHaveAttribute('lang');
  expect(within(await pledge(/Vanha/)).getByText(/En kväll för två/)).not.toHaveAttribute('lang');
});
