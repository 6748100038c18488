import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import {
  aBacker,
  aCampaign,
  aPostPreview,
  aReward,
  aUser,
  inDays,
  someSubscriptions,
} from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { Campaign } from '../../../api/content';
import { failing, listOf, serveCampaign } from '../../../../test/campaigns';

const address = '/3/hoyry/';
const panel = () => screen.findByRole('region', { name: 'Rahoitus' });

test('the panel shows progress, time left and what happens to the money', async () => {
  serveCampaign(aCampaign({ funding_settling: 1_240 }));
  await renderAt(address);
  const box = within(await panel());
  expect(box.getByText('18 420 €')).toBeVisible();
  expect(box.getByText('kasassa, tavoite 24 000 €')).toBeVisible();
  expect(box.getByRole('img')).toHaveAccessibleName(
    /Vahvistettu 18\s420\s€, matkalla 1\s240\s€, tavoite 24\s000\s€/,
  );
  expect(box.getByText('6 pv')).toBeVisible();
  expect(box.getByText('Maksu veloitetaan heti. Jos 24 000 € ei täyty, saat kaiken takaisin.')).toBeVisible();
  expect(box.getByRole('link', { name: 'Lähde mukaan' })).toHaveAttribute('href', '/3/hoyry/pledge/');
});

test('a campaign that nobody can pay to says so in place of its button; who is signed in is told with one press', async () => {
  const asked: unknown[] = [];
  server.use(
    http.post(content('/campaigns/3/payment_reminders/'), async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ is_payable: false }, { status: 202 });
    }),
  );
  serveCampaign(aCampaign({ is_unpayable: true }));
  const { pointer } = await renderAt(address, { user: aUser() });
  const box = within(await panel());
  expect(
    await box.findByRole('heading', { name: 'Tähän kampanjaan ei voi juuri nyt maksaa.' }),
  ).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Lähde mukaan' })).not.toBeInTheDocument();
  expect(box.queryByRole('textbox')).toBeNull();
  await pointer.click(box.getByRole('button', { name: 'Kerro, kun voi maksaa' }));
  expect(await box.findByText(/^Kerromme yhdellä viestillä/)).toBeVisible();
  expect(asked).toEqual([{}]);
}, 60_000);

test.each<[string, Partial<Campaign>, string]>([
  [
    'preparing',
    { stage: 1, first_day_of_funding: '2026-12-09' },
    'Rahoitus alkaa 9.12.2026. Silloin pääset mukaan.',
  ],
  [
    'past its deadline',
    { funding_deadline: inDays(-1) },
    'Rahoitusaika on päättynyt, ja tulosta lasketaan. Kun viimeisetkin maksut ovat varmoja, kerromme, täyttyikö tavoite.',
  ],
  ['succeeded', { stage: 3 }, 'Tavoite täyttyi. Kiitos kaikille, jotka lähtivät mukaan.'],
  [
    'not reached',
    { stage: 4 },
    'Tavoite jäi täyttymättä, ja tukijat saavat rahansa takaisin. Uutta tukea ei enää oteta vastaan.',
  ],
  ['closed', { stage: 5 }, 'Kampanja on suljettu. Tukea ei enää oteta vastaan.'],
])('a campaign that is %s says so and cannot be pledged to', async (_, overrides, words) => {
  serveCampaign(aCampaign(overrides));
  await renderAt(address);
  expect(within(await panel()).getByText(words)).toBeVisible();
  await screen.findByRole('heading', { name: 'Iltavuoro kahdelle' });
  expect(screen.queryByRole('link', { name: 'Lähde mukaan' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Valitse' })).not.toBeInTheDocument();
});

test('a monthly campaign shows its goals and levels', async () => {
  serveCampaign(aCampaign({ stage: 6, subscriptions: someSubscriptions(), subscriptions_reached: 184 }));
  await renderAt(address);
  const box = within(await panel());
  expect(box.getByText('1 290 €')).toBeVisible();
  const [hall, piano] = box.getAllByRole('listitem');
  expect(hall).toHaveTextContent('Sali');
  expect(hall).toHaveTextContent('Täynnä.');
  expect(piano).toHaveAttribute('aria-current', 'step');
  expect(piano).toHaveTextContent('Vielä 26 tukijaa, niin tämä toteutuu');
  expect(await screen.findByRole('heading', { level: 2, name: 'Kuukausitasot' })).toBeVisible();
});

test('a monthly campaign’s amounts are toggles, and the button repeats the sum and leads to its checkout', async () => {
  const levels = [4, 7, 15].map((amount) => aReward({ reward_id: amount, amount, title: `Taso ${amount}` }));
  serveCampaign(aCampaign({ stage: 6, subscriptions: someSubscriptions() }), levels);
  const { pointer } = await renderAt(address);
  const box = within(await panel());
  const amounts = within(await box.findByRole('group', { name: 'Paljonko kuukaudessa?' }));
  // Nothing is chosen for anybody.
  amounts.getAllByRole('button').forEach((one) => expect(one).toHaveAttribute('aria-pressed', 'false'));
  expect(box.getByRole('link', { name: 'Tue kuukausittain' })).toHaveAttribute('href', '/3/hoyry/pledge/');
  await pointer.click(amounts.getByRole('button', { name: /^7.€/ }));
  expect(await box.findByRole('link', { name: /^Tue 7.€ kuukaudessa$/ })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/7',
  );
  expect(amounts.getByRole('button', { name: /^7.€/ })).toHaveAttribute('aria-pressed', 'true');
  expect(
    box.getByText(/^7,00.€ veloitetaan nyt, sitten joka kuun 20\. Muuta tai lopeta milloin vain\.$/),
  ).toBeVisible();

  await pointer.click(amounts.getByRole('button', { name: /^15.€/ }));
  expect(await box.findByRole('link', { name: /^Tue 15.€/ })).toHaveAttribute('href', '/3/hoyry/pledge/15');
  await pointer.click(amounts.getByRole('button', { name: 'Muu' }));
  expect(await box.findByRole('link', { name: 'Tue omalla summalla' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/',
  );
});

test('a monthly campaign without supporters shows its lowest level instead of zeros', async () => {
  const subscriptions = someSubscriptions({
    subscriptions_amount_total: 0,
    subscriptions_subscribers_count: 0,
  });
  serveCampaign(aCampaign({ stage: 6, subscriptions, subscriptions_reached: 0 }));
  await renderAt(address);
  const box = within(await panel());
  expect(await box.findByText('Ensimmäisen tukijan paikka on vapaana.')).toBeVisible();
  expect(box.getAllByText('45 €')[0]).toBeVisible();
  expect(screen.queryByText(/^0 /)).not.toBeInTheDocument();
});

test('the confirmed sum is shown once, and backers’ amounts with their cents', async () => {
  serveCampaign(aCampaign({ funding_settling: 0 }));
  server.use(http.get(content('/campaigns/3/backers/'), () => listOf([aBacker({ amount: 51.5 })])));
  await renderAt(address);
  const box = within(await panel());
  expect(box.getAllByText(/18.420.€/)).toHaveLength(1);
  expect(await screen.findByText(/51,50.€/)).toBeVisible();
});

test('a hidden sum and a hidden number of backers are nowhere on the page', async () => {
  serveCampaign(
    aCampaign({
      hide_funding_amount: true,
      hide_member_count: true,
      funding_reached: 0,
      number_of_backers: 0,
    }),
  );
  await renderAt(address);
  expect(within(await panel()).getByText('Tekijä on piilottanut summan')).toBeVisible();
  await screen.findByRole('heading', { name: 'Iltavuoro kahdelle' });
  expect(screen.queryByText(/tukijaa/)).not.toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Tukijat' })).not.toBeInTheDocument();
  expect(screen.queryByText(/0 %/)).not.toBeInTheDocument();
});

test.each([
  ['unlimited', aReward(), 'Rajaton', '58 tukijaa', 'Valitse'],
  ['limited', aReward({ stock: 100, stock_reserved: 86 }), '14 jäljellä', '86 / 100 varattu', 'Valitse'],
  ['gone', aReward({ stock: 12, stock_reserved: 12 }), 'Loppu', 'Tämä vastike on loppu.', undefined],
])('a reward that is %s says so', async (_, reward, chip, words, act) => {
  serveCampaign(aCampaign(), [reward]);
  await renderAt(address);
  const card = within(await screen.findByRole('article', { name: 'Iltavuoro kahdelle' }));
  expect(card.getByText(chip)).toBeVisible();
  expect(card.getByText(words)).toBeVisible();
  expect(card.queryAllByRole('link').map((link) => link.textContent)).toEqual(act ? [act] : []);
});

test('choosing a reward leads to its checkout in one press', async () => {
  serveCampaign(aCampaign());
  await renderAt(address);
  expect(await screen.findByRole('link', { name: 'Valitse' })).toHaveAttribute('href', '/3/hoyry/pledge/5');
});

test('with a reward in the address, all buttons lead to it', async () => {
  serveCampaign(aCampaign());
  await renderAt(`${address}?reward=5`);
  expect(await screen.findByRole('link', { name: 'Valittu, jatka' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/5',
  );
  expect(within(await panel()).getByRole('link', { name: 'Lähde mukaan' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/5',
  );
});

test('a campaign can be shared by copying, mail and social networks, without third-party scripts', async () => {
  serveCampaign(aCampaign());
  const { pointer } = await renderAt(address);
  const write = jest.spyOn(navigator.clipboard, 'writeText');
  await pointer.click(await screen.findByRole('button', { name: 'Jaa' }));
  const dialog = await screen.findByRole('dialog', { name: 'Jaa kampanja' });
  await pointer.click(within(dialog).getByRole('button', { name: 'Kopioi linkki' }));
  expect(await within(dialog).findByText('Linkki on kopioitu')).toBeVisible();
  const url = `${window.location.origin}/3/hoyry/`;
  expect(write).toHaveBeenCalledWith(url);
  expect(within(dialog).queryByRole('button', { name: 'Laitteen omat jakotavat' })).toBeNull();
  const hrefOf = (name: string) =>
    decodeURIComponent(within(dialog).getByRole<HTMLAnchorElement>('link', { name }).href);
  const words = `Tämä kannattaa katsoa: ${aCampaign().title}`;
  expect(hrefOf('Sähköposti')).toBe(`mailto:?subject=${aCampaign().title}&body=${words}\r\n\r\n${url}`);
  expect(hrefOf('WhatsApp')).toBe(`https://wa.me/?text=${words} ${url}`);
  expect(hrefOf('Facebook')).toBe(`https://www.facebook.com/sharer/sharer.php?u=${url}`);
  expect([...document.scripts].map(({ src }) => src)).not.toContainEqual(
    expect.stringMatching(/wa\.me|facebook/),
  );
});

test('without permission for the clipboard, the address can be copied by hand', async () => {
  serveCampaign(aCampaign());
  const { pointer } = await renderAt(address);
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await pointer.click(await screen.findByRole('button', { name: 'Jaa' }));
  await pointer.click(await screen.findByRole('button', { name: 'Kopioi linkki' }));
  expect(await screen.findByText(/Valitse osoite ja kopioi se itse/)).toBeVisible();
  expect(screen.getByLabelText('Kampanjan osoite')).toHaveValue(`${window.location.origin}/3/hoyry/`);
});

test('all backers can be loaded, anonymous ones without a name', async () => {
  serveCampaign(aCampaign());
  server.use(
    http.get(content('/campaigns/3/backers/'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      return searchParams.get('offset') === '1' && searchParams.get('limit') === '24'
        ? listOf([aBacker({ name: '', anonymous: true, amount: 10 })], 2)
        : listOf([aBacker()], 2);
    }),
  );
  const { pointer } = await renderAt(address);
  await pointer.click(await screen.findByRole('button', { name: 'Kaikki 2' }));
  expect(await screen.findByText('Nimetön')).toBeVisible();
  expect(screen.getByText('Näkyvissä 2 / 2')).toHaveAttribute('role', 'status');
});

test.each([
  ['backers', 'backers/', 'Kaikki 2', () => listOf([aBacker()], 2)],
  ['updates', 'posts/preview/', 'Näytä lisää', () => listOf([aPostPreview()], 2)],
])('if more %s fail to load, there is an error with a retry button', async (_, path, press, first) => {
  serveCampaign(aCampaign());
  server.use(
    http.get(content(`/campaigns/3/${path}`), ({ request }) =>
      new URL(request.url).searchParams.get('offset') ? refusal('internal_error', 500) : first(),
    ),
  );
  const { pointer } = await renderAt(address);
  await pointer.click(await screen.findByRole('button', { name: press }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Tiedot eivät latautuneet');
  server.use(
    http.get(content(`/campaigns/3/${path}`), ({ request }) =>
      new URL(request.url).searchParams.get('offset') ? listOf([], 2) : first(),
    ),
  );
  await pointer.click(within(alert).getByRole('button', { name: 'Yritä uudelleen' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('an update links to its page', async () => {
  serveCampaign(aCampaign());
  await renderAt(address);
  expect(await screen.findByRole('link', { name: 'Kiuas on valittu' })).toHaveAttribute(
    'href',
    '/3/hoyry/posts/4/',
  );
});

test('the team sees which updates are drafts, and such a one leads to where it is written', async () => {
  serveCampaign(aCampaign({ acl: ['view', 'edit'] }));
  server.use(
    http.get(content('/campaigns/3/posts/preview/'), () =>
      listOf([
        aPostPreview({ id: 5, status: 'draft', published_at: undefined, title: '', intro: '' }),
        aPostPreview({ id: 6, status: 'draft', title: 'Vesi nousi' }),
        aPostPreview(),
      ]),
    ),
  );
  await renderAt(address, { user: aUser() });
  const rows = (await screen.findByRole('link', { name: 'Vesi nousi' })).closest('ul')!;
  const [draft, takenBack, published] = within(rows).getAllByRole('listitem');
  expect(draft).toHaveTextContent('Luonnos');
  expect(within(draft!).getByRole('link', { name: 'Ilman otsikkoa' })).toHaveAttribute(
    'href',
    '/3/hoyry/posts/5/edit/',
  );
  expect(takenBack).toHaveTextContent('Julkaisu peruttu');
  expect(within(takenBack!).queryByRole('time')).toBeNull();
  expect(published).not.toHaveTextContent(/Luonnos|peruttu/);
});

test('updates without a title are told apart by how they begin, and empty ones by when they were left', async () => {
  serveCampaign(aCampaign({ acl: ['view', 'edit'] }));
  const untitled = { status: 'draft' as const, published_at: undefined, title: '' };
  const text = 'Paino on 190 kiloa, ja neljä meistä kantoi sen rantaan yhtenä iltana ennen ensilunta.';
  server.use(
    http.get(content('/campaigns/3/posts/preview/'), () =>
      listOf([
        aPostPreview({ ...untitled, id: 5, intro: 'Hormi tuli.' }),
        aPostPreview({ ...untitled, id: 6, intro: text }),
        aPostPreview({ ...untitled, id: 7, intro: '', updated_at: '2026-11-20T14:14:00Z' }),
      ]),
    ),
  );
  await renderAt(address, { user: aUser() });
  const rows = (await screen.findByRole('link', { name: 'Hormi tuli.' })).closest('ul')!;
  expect(
    within(rows)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Hormi tuli.',
    'Paino on 190 kiloa, ja neljä meistä kantoi sen rantaan…',
    expect.stringMatching(/^Ilman otsikkoa, 20\.11\.2026.* 16\.14$/),
  ]);
  expect(within(rows).getByText(text)).toBeVisible();
  expect(within(rows).getAllByText('Hormi tuli.')).toHaveLength(1);
});

test.each(['/999/ei-ole/', '/0/ei/', '/abc/ei/'])('%s is not found', async (where) => {
  server.use(http.get(content('/campaigns/999/*'), () => refusal('not_found', 404)));
  await renderAt(where);
  expect(await screen.findByRole('heading', { level: 1, name: 'Tätä sivua ei löydy' })).toBeVisible();
});

test('a campaign that fails to load has a retry button', async () => {
  serveCampaign(aCampaign());
  const gate = failing('/campaigns/3/fi/');
  const { pointer } = await renderAt(address);
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  gate.open();
  await pointer.click(again);
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' }),
  ).toBeVisible();
});

test('while a campaign that failed to load is asked for again, nothing says that it fails', async () => {
  serveCampaign(aCampaign());
  let isDown = true;
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
  server.use(
    http.get(content('/campaigns/3/fi/'), () => (isDown ? refusal('internal_error', 500) : isAnswered)),
  );
  const { pointer } = await renderAt(address);
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  isDown = false;
  await pointer.click(again);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  answer();
  expect(await panel()).toBeVisible();
});

test('a section that fails to load has an error, and the others are shown', async () => {
  serveCampaign(aCampaign());
  server.use(http.get(content('/campaigns/3/backers/'), () => refusal('internal_error', 500)));
  await renderAt(address);
  expect(await screen.findByRole('heading', { name: 'Iltavuoro kahdelle' })).toBeVisible();
  expect(await screen.findByRole('alert')).toHaveTextContent('Tiedot eivät latautuneet');
});

test.each<[string, Partial<Campaign>, string[]]>([
  [
    'on hold',
    { hold: 'on_hold', held: { kind: 'on_hold', since: '2026-11-22T10:00:00Z', reason: 'looked_into' } },
    [
      'Tauolla 22.11.2026 alkaen',
      'Uusia tukia ei oteta, eikä mitään veloiteta.',
      'kassassa, tavoite 24 000 €',
    ],
  ],
  [
    'monthly and on hold',
    {
      stage: 6,
      opens_as: 6,
      subscriptions: someSubscriptions(),
      hold: 'on_hold',
      held: {
        kind: 'on_hold',
        since: '2026-11-22T10:00:00Z',
        reason: 'looked_into',
        sentence: 'Kysymme valmistajalta.',
      },
    },
    ['1 290 €', 'Kysymme valmistajalta.'],
  ],
  [
    'stopped',
    {
      stage: 5,
      opens_as: 2,
      hold: 'stopped',
      held: { kind: 'stopped', since: '2026-11-24T10:00:00Z', reason: 'rules' },
    },
    [
      'Talkoot pysäytti tämän kampanjan',
      'Jos keräys oli kesken, tukijat saavat kaiken takaisin, ja kerromme siitä jokaiselle.',
    ],
  ],
])('a campaign that is %s says why, and nobody can join it anywhere', async (_, overrides, words) => {
  serveCampaign(aCampaign(overrides));
  await renderAt(address);
  for (const text of words) expect(await panel()).toHaveTextContent(text);
  await screen.findByRole('heading', { name: 'Iltavuoro kahdelle' });
  for (const name of ['Lähde mukaan', 'Valitse', /Tue kuukausittain/, /kuukaudessa/])
    expect(screen.queryByRole('link', { name })).not.toBeInTheDocument();
});

test.each<[string, Partial<Campaign>]>([
  ['on hold', { hold: 'on_hold' }],
  ['stopped', { stage: 5, hold: 'stopped' }],
  ['closed', { stage: 5 }],
  ['over', { stage: 4 }],
])('what is empty on a campaign that is %s invites nobody', async (_, overrides) => {
  serveCampaign(aCampaign(overrides));
  server.use(
    http.get(content('/campaigns/3/rewards/fi/'), () => HttpResponse.json({ rewards: [] })),
    http.get(content('/campaigns/3/backers/'), () => listOf([])),
  );
  await renderAt(address);
  expect(await screen.findByText('Vastikkeita ei ole.')).toBeVisible();
  expect(await screen.findByText('Tukijoita ei ole.')).toBeVisible();
});

test('a campaign that was closed before its last day does not say that it ended on it', async () => {
  serveCampaign(aCampaign({ stage: 5 }));
  await renderAt(address);
  await panel();
  expect(screen.queryByText('päättyi')).not.toBeInTheDocument();
});
