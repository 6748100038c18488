import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { anOwnPledge, aPreview, aUser } from '../../../test/builders';
import { now } from '../../../test/clock';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { Claim, ClaimAct, OwnClaimAct } from '../../api/claims';

jest.setTimeout(30_000);

const day = 86_400_000;
const id = '01JD0000000000000000000300';
const at = (days: number) => new Date(now + days * day).toISOString();

const aClaim = (overrides: Partial<Claim> = {}): Claim => ({
  claim_id: id,
  reference: 'H-2026-000214',
  reader: 'backer',
  kind: 'not_delivered',
  state: 'open',
  version: 1,
  made_at: at(-2),
  waits_from: at(-2),
  due_at: at(5.5),
  left: 45,
  returned: 0,
  currency: 'EUR',
  may: ['message', 'received', 'withdraw'],
  messages: [{ id: 1, at: at(-2), by: 'backer', act: 'make', text: 'Levyn piti tulla lokakuussa.' }],
  ...overrides,
});

/** Serves the creator's page of a claim; gives the acts that were sent. */
function serveTeam(claim: Claim) {
  const sent: ClaimAct[] = [];
  let current = claim;
  const pledge = {
    campaign_id: 1,
    campaign_title: 'Kantele joka kouluun',
    backer: 'Leena Hakkarainen',
    reward_title: 'Levy ja nuottivihko',
    reward_language: 'fi',
    quantity: 1,
    amount: 45,
    refunded: 0,
    currency: 'EUR',
    receipt_number: 'TK-2026-003377',
    delivery: '2026-10',
  };
  server.use(
    http.get(content(`/claims/${id}/`), () => HttpResponse.json({ claim: current, pledge })),
    http.post(content(`/claims/${id}/`), async ({ request }) => {
      sent.push((await request.json()) as ClaimAct);
      if (sent.length === 1) return refusal('unavailable', 503);
      current = { ...claim, state: 'part_offered', version: 2, may: [] };
      return HttpResponse.json({ claim: current, pledge });
    }),
  );
  return sent;
}

test('the creator chooses one of four answers, none beforehand, and a repeat after a failure is the same act', async () => {
  const claim = aClaim({
    reader: 'creator',
    may: ['decline', 'message', 'offer_part', 'offer_resend', 'refund'],
  });
  const sent = serveTeam(claim);
  const { pointer } = await renderAt(`/profile/me/claims/${id}/`, { user: aUser() });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Leena Hakkarainen ei ole saanut vastiketta' }),
  ).toBeVisible();
  expect(screen.getByText('5 pv')).toBeVisible();
  expect(screen.getByRole('img', { name: '2 / 7 päivää on kulunut' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Valitse, mitä tarjoat' })).toBeDisabled();
  for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked();
  await pointer.click(screen.getByRole('radio', { name: /Palautan kaiken/ }));
  expect(screen.getByRole('button', { name: /Palauta 45,00/ })).toBeEnabled();
  await pointer.click(screen.getByRole('radio', { name: /Palautan osan/ }));
  await pointer.click(screen.getByLabelText('Summa'));
  await pointer.paste('45');
  expect(screen.getByText(/Enintään 44,99/)).toBeVisible();
  await pointer.clear(screen.getByLabelText('Summa'));
  await pointer.click(screen.getByLabelText('Summa'));
  await pointer.paste('20');
  const offer = screen.getByRole('button', { name: /Tarjoa 20,00/ });
  await pointer.click(offer);
  expect(await screen.findByText(/emme tiedä, onnistuiko tämä/)).toBeVisible();
  expect(screen.queryByText(/Ei onnistunut/)).toBeNull();
  await pointer.click(offer);
  expect(await screen.findByText('Tukijalla')).toBeVisible();
  expect(screen.queryByText(/emme tiedä/)).toBeNull();
  expect(sent[0]).toMatchObject({ act: 'offer_part', amount: 20, version: 1 });
  expect(sent[1]).toEqual(sent[0]);
});

test('staff decide with reasons', async () => {
  serveTeam(aClaim({ reader: 'staff', state: 'with_staff', may: ['decide', 'message'] }));
  const { pointer } = await renderAt(`/profile/me/claims/${id}/`, {
    user: aUser({ scope: ['view', 'edit', 'admin'] }),
  });
  await pointer.click(await screen.findByLabelText('Paljonko tukija saa takaisin'));
  await pointer.paste('0');
  expect(screen.getByRole('button', { name: 'Päätä: ei hyvitystä' })).toBeDisabled();
  await pointer.click(screen.getByLabelText('Perustelut molemmille'));
  await pointer.paste('Levy on tullut.');
  expect(screen.getByRole('button', { name: 'Päätä: ei hyvitystä' })).toBeEnabled();
  expect(screen.queryByRole('radio')).toBeNull();
});

/** Serves a pledge whose campaign has ended, with its claim; gives the acts that were sent. */
function serveBacker(claim?: Claim) {
  const seen = { claim, sent: [] as OwnClaimAct[] };
  const pledge = anOwnPledge({ campaign: aPreview({ stage: 3 }), withdrawal: { state: 'over' } });
  const answer = () => ({
    kinds: seen.claim ? [] : (['not_delivered', 'broken', 'other'] as const),
    until: at(100),
    claim: seen.claim,
  });
  server.use(
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
    http.get(content('/users/me/pledges/:language/'), () =>
      HttpResponse.json({ pledges: [pledge], total: 1, going_on: 1, over: 0, sums: [] }),
    ),
    http.get(content('/pledges/:id/claim/'), () => HttpResponse.json(answer())),
    http.post(content('/pledges/:id/claim/'), async ({ request }) => {
      seen.sent.push((await request.json()) as OwnClaimAct);
      seen.claim = aClaim();
      return HttpResponse.json(answer());
    }),
  );
  return seen;
}

test('a backer whose reward has not come makes a claim and sees until when the creator has time', async () => {
  const seen = serveBacker();
  const { pointer } = await renderAt('/profile/me/pledges/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Pyydä hyvitystä' }));
  expect(screen.getByRole('button', { name: 'Lähetä pyyntö' })).toBeDisabled();
  await pointer.click(screen.getByRole('radio', { name: 'Vastike ei ole tullut' }));
  await pointer.click(screen.getByLabelText('Kerro, mitä on tapahtunut'));
  await pointer.paste('Levyn piti tulla lokakuussa.');
  await pointer.click(screen.getByRole('button', { name: 'Lähetä pyyntö' }));
  const card = within(await screen.findByRole('region', { name: 'Vastike ei ole tullut' }));
  expect(card.getByText('Tekijällä')).toBeVisible();
  expect(
    card.getByText(/jäljellä\. Jos vastausta ei tule .* klo 23\.59 mennessä, Talkoot ratkaisee\./),
  ).toBeVisible();
  expect(seen.sent[0]).toMatchObject({ act: 'make', kind: 'not_delivered' });
});

test('an offer says what silence does, and the button what one gets', async () => {
  const seen = serveBacker(
    aClaim({
      state: 'part_offered',
      version: 2,
      offered: 20,
      may: ['accept', 'refuse', 'message', 'received', 'withdraw'],
    }),
  );
  const { pointer } = await renderAt('/profile/me/pledges/', { user: aUser() });
  const card = within(await screen.findByRole('region', { name: /Tekijä tarjoaa 20,00/ }));
  expect(card.getByText('Sinulla')).toBeVisible();
  expect(card.getByText(/Jos et vastaa, palautamme tarjotun summan/)).toBeVisible();
  await pointer.click(card.getByRole('button', { name: /Sopii, otan 20,00/ }));
  await waitFor(() => expect(seen.sent[0]).toMatchObject({ act: 'accept', version: 2 }));
});

test('money that may have gone back is not given twice, also when the page was loaded anew', async () => {
  const sent: { key: string }[] = [];
  server.use(
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
    http.get(content('/claims/'), () =>
      HttpResponse.json({ claims: [], waiting: 0, campaigns: [{ campaign_id: 7, title: 'Kantele' }] }),
    ),
    http.post(content('/campaigns/:id/refunds/'), async ({ request }) => {
      sent.push((await request.json()) as { key: string });
      return sent.length < 3
        ? HttpResponse.error()
        : HttpResponse.json({ amount: 10, currency: 'EUR', backer: 'Leena H' });
    }),
  );
  const give = async (receipt: string) => {
    const { pointer, unmount } = await renderAt('/profile/me/claims/', { user: aUser() });
    await pointer.click(await screen.findByRole('button', { name: 'Palauta rahaa' }));
    await pointer.click(screen.getByLabelText(/Kuitin numero/));
    await pointer.paste(receipt);
    await pointer.click(screen.getByRole('radio', { name: 'Osa' }));
    await pointer.click(screen.getByRole('textbox', { name: 'Summa' }));
    await pointer.paste('10');
    await pointer.click(screen.getByLabelText('Syy'));
    await pointer.paste('Postikulut');
    await pointer.click(screen.getByRole('button', { name: /Palauta 10,00/ }));
    return unmount;
  };
  const leave = await give('TK-2026-000001');
  expect(await screen.findByText(/emme tiedä, onnistuiko tämä/)).toBeVisible();
  leave();
  const leaveAgain = await give('TK-2026-000002');
  expect(await screen.findByText(/emme tiedä, onnistuiko tämä/)).toBeVisible();
  leaveAgain();
  await give('TK-2026-000001');
  expect(await screen.findByText(/on lähdössä takaisin: Leena H/)).toBeVisible();
  expect(sent).toHaveLength(3);
  expect(sent[2]).toEqual(sent[0]);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('a claim that cannot be read offers to try again', async () => {
  serveBacker();
  server.use(http.get(content('/pledges/:id/claim/'), () => refusal('unavailable', 503)));
  await renderAt('/profile/me/pledges/', { user: aUser() });
  expect(await screen.findByRole('button', { name: 'Yritä uudelleen' })).toBeVisible();
});

test('the creator sees the name of the reward as it was bought, with its language where that is not the page’s', async () => {
  serveTeam(aClaim({ reader: 'creator', may: [] }));
  await renderAt(`/en/profile/me/claims/${id}/`, { user: aUser() });
  expect(await screen.findByText('Levy ja nuottivihko')).toHaveAttribute('lang', 'fi');
});
