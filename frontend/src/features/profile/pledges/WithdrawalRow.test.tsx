import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { anOwnPledge, aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { OwnPledge } from '../../../api/own';

jest.setTimeout(30_000);

// The menu beside the page does without a picture.
beforeEach(() => server.use(http.get(content('/users/me/profile'), () => refusal('unavailable', 503))));

const at = '2026-11-22T07:12:00Z';
const takenBack = (pledge: OwnPledge): OwnPledge => ({
  ...pledge,
  status: 'withdrawn',
  shipping: undefined,
  withdrawal: { state: 'done', at },
});

/** Serves one pledge of the signed-in person, which can be taken back. */
function serve(pledge: OwnPledge) {
  const seen = { pledge, calls: 0 };
  server.use(
    http.get(content('/users/me/pledges/:language/'), () =>
      HttpResponse.json({ pledges: [seen.pledge], total: 1, going_on: 1, over: 0, sums: [] }),
    ),
    http.post(content('/pledges/:id/withdrawal/'), () => {
      seen.calls += 1;
      seen.pledge = takenBack(seen.pledge);
      return HttpResponse.json({ pledge: seen.pledge });
    }),
  );
  return seen;
}

const show = () => renderAt('/profile/me/pledges/', { user: aUser() });
const block = () => screen.findByRole('region', { name: /Höyry/ });

test('what a bank has of a pledge is not promised back, and said', async () => {
  serve(anOwnPledge({ status: 'disputed', amount_contested: 20 }));
  const { pointer } = await show();
  await pointer.click(within(await block()).getByRole('button', { name: 'Peru tuki' }));
  const question = screen.getByRole('region', { name: /Perutaanko tukesi, 25,00/ });
  expect(question).toHaveTextContent(/Pankillasi on20,00/);
  expect(within(question).getByRole('button', { name: /Peru ja palauta 25,00/ })).toBeVisible();
});

test('a pledge is taken back after one question, and says where its money is', async () => {
  const seen = serve(anOwnPledge());
  const { pointer } = await show();
  expect(
    within(await block()).getByText(/Rahat takaisin ilman perusteluja 30\.11\.2026 klo 23\.59 saakka\./),
  ).toBeVisible();
  const act = within(await block()).getByRole('button', { name: 'Peru tuki' });
  await pointer.click(act);
  const question = screen.getByRole('region', { name: /Perutaanko tukesi, 45,00/ });
  expect(within(question).getByRole('heading')).toHaveFocus();
  expect(question).toHaveTextContent('Raha palaa sinne, mistä maksoit (Visa ···· 4242), 3–5 pankkipäivässä.');
  expect(question).toHaveTextContent('vapautuu heti muille');
  await pointer.click(within(question).getByRole('button', { name: 'Pidä tuki' }));
  expect(act).toHaveFocus();
  expect(seen.calls).toBe(0);
  await pointer.click(act);
  await pointer.click(screen.getByRole('button', { name: /Peru ja palauta 45,00/ }));
  const said = await screen.findByRole('heading', { name: 'Tuki on peruttu' });
  expect(said).toHaveFocus();
  expect(seen.calls).toBe(1);
  expect(
    screen.getByText(
      /45,00.€ on matkalla takaisin sinne, mistä maksoit\. Raha on takaisin arviolta 25\.–27\.11\./,
    ),
  ).toBeVisible();
  expect(screen.getByText('Peruttu')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Peru tuki' })).toBeNull();
  expect(screen.queryByRole('group', { name: 'Miten nimesi näkyy tukijoissa' })).toBeNull();
});

test('what was taken back is not asked about again, whenever the list is read again', async () => {
  const seen = serve(anOwnPledge());
  const { pointer } = await show();
  await pointer.click(within(await block()).getByRole('button', { name: 'Peru tuki' }));
  server.use(http.get(content('/users/me/pledges/:language/'), () => delay('infinite')));
  await pointer.click(screen.getByRole('button', { name: /Peru ja palauta 45,00/ }));
  expect(await screen.findByRole('heading', { name: 'Tuki on peruttu' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Peru/ })).toBeNull();
  expect(seen.calls).toBe(1);
});

test('a debit that the bank still confirms promises no day', async () => {
  serve(anOwnPledge({ status: 'processing', paid_at: undefined, receipt_number: undefined }));
  const { pointer } = await show();
  await pointer.click(within(await block()).getByRole('button', { name: 'Peru tuki' }));
  const question = screen.getByRole('region', { name: /Perutaanko/ });
  expect(question).toHaveTextContent(
    'Pankkisi ei ole vielä vahvistanut maksua. Kun raha tulee perille, palautamme sen heti.',
  );
  await pointer.click(within(question).getByRole('button', { name: 'Peru tuki' }));
  expect(await screen.findByText(/Jos maksu ei tule perille, sinulta ei veloiteta mitään\./)).toBeVisible();
});

test('one that comes too late says so and stays open', async () => {
  serve(anOwnPledge());
  server.use(http.post(content('/pledges/:id/withdrawal/'), () => refusal('withdrawal_over', 409)));
  const { pointer } = await show();
  await pointer.click(within(await block()).getByRole('button', { name: 'Peru tuki' }));
  await pointer.click(screen.getByRole('button', { name: /Peru ja palauta/ }));
  await waitFor(() =>
    expect(within(screen.getByRole('region', { name: /Perutaanko/ })).getByRole('alert')).toHaveTextContent(
      'Tukea ei peruttu. Tukea ei voi enää perua, koska aika siihen on päättynyt.',
    ),
  );
});

test('one whose answer was lost is not said to have failed', async () => {
  serve(anOwnPledge());
  server.use(http.post(content('/pledges/:id/withdrawal/'), () => HttpResponse.error()));
  const { pointer } = await show();
  await pointer.click(within(await block()).getByRole('button', { name: 'Peru tuki' }));
  await pointer.click(screen.getByRole('button', { name: /Peru ja palauta/ }));
  const alert = within(screen.getByRole('region', { name: /Perutaanko/ })).getByRole('alert');
  await waitFor(() => expect(alert).toHaveTextContent(/emme tiedä, onnistuiko peruminen\. Paina uudelleen/));
  expect(alert).not.toHaveTextContent('ei peruttu');
});

test.each([
  [{ state: 'over', reason: 'term_over' }, /Peruuttamisaika on päättynyt/],
  [{ state: 'over', reason: 'made_to_order' }, /tehdään toiveidesi mukaan, joten tukea ei voi perua/],
  [{ state: 'over', reason: 'gift' }, /Tuki ilman vastiketta on lahja/],
  [{ state: 'over', reason: 'goes_back' }, /saat rahasi takaisin ilman perumista/],
  [{ state: 'counting' }, /Kampanjan tulosta lasketaan/],
  [{ state: 'contested' }, /Tuen voi perua vasta, kun pankki on päättänyt/],
] as const)('what is %j cannot be taken back and says why', async (withdrawal, words) => {
  serve(anOwnPledge({ withdrawal }));
  await show();
  expect(within(await block()).getByText(words)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Peru/ })).toBeNull();
});

const until = '2026-12-14T21:59:59Z';
test.each([
  [
    { state: 'open', reason: 'not_sent', days: 14 },
    /ei ole vielä lähtenyt\. Voit perua nyt tai viimeistään 14 päivän kuluessa/,
    /ettei sinulle enää lähetetä/,
  ],
  [
    { state: 'open', reason: 'sent', sent_on: '2026-11-23', until },
    /lähetettiin 23\.11\.2026\. Rahat takaisin ilman perusteluja 14\.12\.2026 klo 23\.59 saakka/,
    /palauta se myyjälle 14 päivän kuluessa/,
  ],
  [
    { state: 'open', reason: 'contract', until },
    /Rahat takaisin ilman perusteluja 14\.12\.2026 klo 23\.59 saakka/,
    /ettei sinulle enää lähetetä/,
  ],
] as const)(
  'after the campaign what is %j names the contract before it is confirmed',
  async (withdrawal, words, then) => {
    const pledge = anOwnPledge({ withdrawal });
    const seen = serve(pledge);
    const { pointer } = await show();
    expect(within(await block()).getByText(words)).toBeVisible();
    await pointer.click(within(await block()).getByRole('button', { name: 'Peruuta sopimus' }));
    const question = screen.getByRole('region', { name: /Peruutetaanko sopimus, 45,00/ });
    for (const fact of [
      pledge.campaign.creator.name,
      pledge.reward_title,
      pledge.receipt_number ?? '',
      pledge.email,
    ])
      expect(question).toHaveTextContent(fact);
    expect(question).toHaveTextContent(then);
    expect(seen.calls).toBe(0);
    await pointer.click(within(question).getByRole('button', { name: 'Vahvista peruutus' }));
    expect(await screen.findByRole('heading', { name: 'Tuki on peruttu' })).toHaveFocus();
    expect(seen.calls).toBe(1);
  },
);
