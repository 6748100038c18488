import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';
import type { CampaignPreview } from '../../../api/content';
import { anExperiment, aPreview, inDays, someSubscriptions } from '../../../../test/builders';
import { failing, listOf } from '../../../../test/campaigns';

interface Home {
  popular?: CampaignPreview[];
  ending?: CampaignPreview[];
  monthly?: CampaignPreview[];
}

const choir = aPreview({ campaign_id: 9, title: 'Kuoro', stage: 6, subscriptions: someSubscriptions() });

function serveHome({ popular = [aPreview()], ending = [], monthly = [choir] }: Home = {}): string[] {
  const asked: string[] = [];
  server.use(
    http.get(content('/campaigns/preview/fi/'), ({ request }) => {
      const { pathname, search, searchParams } = new URL(request.url);
      asked.push(pathname + search);
      return searchParams.get('sort') === 'ending' ? listOf(ending) : listOf(popular, 16);
    }),
    http.get(content('/campaigns/preview/subscriptions/fi/'), ({ request }) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      return listOf(monthly);
    }),
    http.get(content('/experiments/preview/fi/'), ({ request }) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      return listOf([anExperiment()]);
    }),
    http.get(content('/campaigns/categories/'), ({ request }) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      return HttpResponse.json({ categories: [{ id: 3, label: 'Ruoka' }] });
    }),
  );
  return asked;
}

test('requests exactly what the server embeds in the page', async () => {
  const asked = serveHome();
  await renderAt('/');
  await screen.findByRole('link', { name: 'Ruoka' });
  await screen.findByRole('heading', { name: 'Kuoro' });
  expect(asked.sort()).toEqual([
    '/content/campaigns/categories/?language=fi&stages=2%2C6',
    '/content/campaigns/preview/fi/?limit=10&sort=front_page',
    '/content/campaigns/preview/fi/?limit=4&sort=ending',
    '/content/campaigns/preview/subscriptions/fi/?limit=3&sort=front_page',
    '/content/experiments/preview/fi/?limit=4&show_in=front_page&sort=front_page',
  ]);
});

test('the most popular campaign is at the top of the page and not among the cards', async () => {
  serveHome({ popular: [aPreview(), aPreview({ campaign_id: 2, slug: 'kirja', title: 'Kirja' })] });
  await renderAt('/');
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' }),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Lähde mukaan' })).toHaveAttribute('href', '/3/hoyry/');
  const cards = screen.getByRole('region', { name: 'Rahoituksessa nyt' });
  expect(within(cards).getByRole('link', { name: 'Kirja' })).toHaveAttribute('href', '/2/kirja/');
  expect(
    within(cards).queryByRole('link', { name: 'Höyry – kylän yhteinen saunalautta' }),
  ).not.toBeInTheDocument();
  expect(within(cards).getByRole('link', { name: 'Kaikki 16' })).toBeVisible();
});

test.each([
  [inDays(5.5), '6 pv'],
  [inDays(1.25), '30 h'],
  [inDays(-1), 'Päättynyt'],
])('a campaign that ends at %s shows %s', async (funding_deadline, text) => {
  serveHome({ ending: [aPreview({ campaign_id: 5, funding_deadline, funding_reached: 22_650 })] });
  await renderAt('/');
  const rows = await screen.findByRole('region', { name: 'Päättyy pian' });
  expect(await within(rows).findByText(text)).toBeVisible();
  expect(within(rows).getByText('94 % · vielä 1 350 €')).toBeVisible();
});

test('no campaign is on the page twice', async () => {
  const [first, soon, other] = [1, 2, 3].map((campaign_id) =>
    aPreview({ campaign_id, title: `Kampanja ${campaign_id}` }),
  );
  serveHome({ popular: [first!, soon!, other!], ending: [first!, soon!] });
  await renderAt('/');
  const rows = within(await screen.findByRole('region', { name: 'Päättyy pian' }));
  expect(await rows.findByRole('link', { name: 'Kampanja 2' })).toBeVisible();
  for (const { title } of [first!, soon!, other!])
    expect(screen.getAllByRole('link', { name: title })).toHaveLength(1);
});

test('a monthly campaign without supporters shows only its first goal', async () => {
  const subscriptions = someSubscriptions({
    subscriptions_amount_total: 0,
    subscriptions_subscribers_count: 0,
  });
  serveHome({ monthly: [aPreview({ campaign_id: 9, title: 'Kuoro', stage: 6, subscriptions })] });
  await renderAt('/');
  const band = await screen.findByRole('region', { name: 'Kuukausitalkoot' });
  expect(await within(band).findByText('Ensimmäinen askel: Sali, 100 tukijaa')).toBeVisible();
  expect(within(band).queryByText(/0 tukijaa ·|0.€/)).not.toBeInTheDocument();
});

test('a monthly campaign shows its supporters and its next goal', async () => {
  serveHome();
  await renderAt('/');
  const band = await screen.findByRole('region', { name: 'Kuukausitalkoot' });
  expect(await within(band).findByText('184 tukijaa')).toBeVisible();
  expect(within(band).getByText('Seuraava askel: Piano, 210 tukijaa')).toBeVisible();
  expect(within(band).getByRole('img', { name: '184 tukijaa, askelia otettu 1/2' })).toBeVisible();
});

test('an experiment shows the name of its stage', async () => {
  serveHome();
  await renderAt('/');
  const row = await screen.findByRole('region', { name: 'Kokeilut' });
  expect(await within(row).findByText('Käynnissä')).toBeVisible();
});

test('without campaigns the page has an introduction and an empty state', async () => {
  serveHome({ popular: [] });
  await renderAt('/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Yhdessä se käy' })).toBeVisible();
  expect(screen.getByText('Täällä on vielä hiljaista')).toBeVisible();
});

test('a section that fails to load has a retry button, and the other sections are shown', async () => {
  serveHome();
  const gate = failing('/campaigns/preview/subscriptions/fi/');
  const { pointer } = await renderAt('/');
  const band = await screen.findByRole('region', { name: 'Kuukausitalkoot' });
  const again = await within(band).findByRole('button', { name: 'Yritä uudelleen' });
  gate.open();
  await pointer.click(again);
  expect(await within(band).findByRole('link', { name: 'Kuoro' })).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' })).toBeVisible();
});
