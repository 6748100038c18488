import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPostPreview, aUser } from '../../../test/builders';
import { serveCampaign } from '../../../test/campaigns';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { Campaign } from '../../api/content';
import type { CampaignOverview } from '../../api/editing';

const anOverview = (overrides: Partial<CampaignOverview> = {}): CampaignOverview => ({
  campaign_id: 3,
  slug: 'hoyry',
  title: 'Höyry',
  project_pic: 'hoyry.svg',
  stage: 2,
  currency: 'EUR',
  funding_reached: 500,
  funding_settling: 40,
  min_goal: 0,
  target_goal: 1_000,
  number_of_backers: 9,
  average: 55,
  first_day_of_funding: '2026-11-18',
  last_day_of_funding: '2026-11-26',
  today: '2026-11-20',
  days: [
    { day: '2026-11-18', amount: 300, settling: 0, backers: 5 },
    { day: '2026-11-19', amount: 150, settling: 0, backers: 3 },
    { day: '2026-11-20', amount: 50, settling: 40, backers: 1 },
  ],
  pace: { missing: 500, days_left: 7, needed_a_day: 71.43, recent_a_day: 225, recent_days: 2 },
  sources: [{ source: '', backers: 9, amount: 500 }],
  rewards: [],
  without_reward: { backers: 9, amount: 500 },
  settling: [],
  posts: [],
  next: [{ kind: 'payment_account' }, { kind: 'first_post' }],
  ...overrides,
});

async function open(overview: CampaignOverview, campaign: Partial<Campaign> = {}) {
  serveCampaign(aCampaign({ acl: ['view', 'edit'], ...campaign }));
  server.use(http.get(content('/campaigns/3/overview/'), () => HttpResponse.json({ overview })));
  const opened = await renderAt('/3/hoyry/overview/', { user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Höyry' });
  return opened;
}

test('the table has the numbers of the bars, daily and cumulative, and the pace is described in words', async () => {
  const { pointer, container } = await open(anOverview());
  const bars = () => [...container.querySelectorAll('[data-bar]')].map((bar) => bar.getAttribute('data-bar'));
  const rows = () =>
    within(screen.getByRole('table', { hidden: true }))
      .getAllByRole('row', { hidden: true })
      .slice(1)
      .map((row) => row.querySelector('td')?.textContent.replace(/\D/g, ''));
  expect(bars()).toEqual(['300', '150', '50']);
  expect(rows()).toEqual(bars());
  await pointer.click(screen.getByRole('radio', { name: 'Kertymä' }));
  expect(bars()).toEqual(['300', '450', '500']);
  expect(rows()).toEqual(bars());
  expect(screen.getByText(/Jäljellä on 500 € ja 7 päivää: 72 € päivässä.*riittää hyvin/)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Maksutiliä ei ole vielä liitetty' })).toBeVisible();
});

test('arrow keys choose a day for screen readers and the tooltip, which closes when the focus leaves', async () => {
  const { pointer } = await open(anOverview());
  const days = screen.getByRole('slider', { name: 'Päivä' });
  act(() => days.focus());
  expect(days).toHaveAttribute('aria-valuetext', expect.stringMatching(/^20\.11\., 50.€, 1 tukija$/));
  await pointer.keyboard('{ArrowLeft}');
  expect(days).toHaveAttribute('aria-valuetext', expect.stringMatching(/^19\.11\., 150.€, 3 tukijaa$/));
  await pointer.keyboard('{Home}{ArrowLeft}');
  expect(days).toHaveAttribute('aria-valuenow', '1');
  expect(screen.getByText('18.11.', { selector: 'p > b' })).toBeVisible();
  await pointer.tab();
  expect(screen.queryByText('18.11.', { selector: 'p > b' })).not.toBeInTheDocument();
});

test('an update is marked at its day in the platform’s time zone', async () => {
  const { container } = await open(
    anOverview({ posts: [{ post_id: 5, published_at: '2026-11-18T22:30:00Z', title: 'Kirje' }] }),
  );
  // 00.30 in Helsinki on 19 November: the second of three days and six ahead.
  const mark = container.querySelector<SVGElement>('[aria-hidden] svg[style]');
  expect(parseFloat(mark?.style.left ?? '')).toBeCloseTo((1.5 / 9) * 100, 1);
});

test('the task of the missing payout account links to its explanation', async () => {
  await open(anOverview());
  expect(screen.getByText(/Tekijä liittää sen tilityssivullaan/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Lue maksutilistä' })).toHaveAttribute(
    'href',
    '/3/hoyry/edit/#account',
  );
});

test('without backers the chart is empty and says that the first will be shown in it', async () => {
  await open(
    anOverview({
      funding_reached: 0,
      funding_settling: 0,
      number_of_backers: 0,
      days: [{ day: '2026-11-20', amount: 0, settling: 0, backers: 0 }],
      sources: [],
      next: [],
    }),
  );
  expect(screen.getByRole('img', { name: 'Ensimmäinen tukija näkyy tässä' })).toBeVisible();
  expect(screen.getAllByText('Ensimmäinen tukija näkyy tässä')).toHaveLength(1);
  expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  expect(screen.queryByText('Seuraavaksi')).not.toBeInTheDocument();
});

test('the team of a stopped campaign reads the reason that everybody reads, and is offered no second title', async () => {
  await open(
    anOverview({
      stage: 5,
      next: [],
      days: [{ day: '2026-11-20', amount: 0, settling: 0, backers: 0 }],
      number_of_backers: 0,
      funding_reached: 0,
      funding_settling: 0,
    }),
    {
      stage: 5,
      hold: 'stopped',
      held: { kind: 'stopped', since: '2026-11-24T10:00:00Z', reason: 'looked_into' },
    },
  );
  expect(screen.getByText(/Emme saaneet varmistettua, mitä kampanja lupaa\./)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Kokeile toista otsikkoa tai tiivistelmää' })).toBeNull();
  expect(screen.getByText('Tukijoita ei ole')).toBeVisible();
});

test('a comparison with too few payments shows no rates, and stopping it asks first', async () => {
  const stopped: string[] = [];
  server.use(
    http.delete(content('/campaigns/3/content_variations/7/'), ({ request }) => {
      stopped.push(request.url);
      return HttpResponse.json({ version: 2 });
    }),
  );
  const { pointer } = await open(
    anOverview({
      content_experiment: {
        field: 'tagline',
        language: 'fi',
        started_at: '2026-11-18T10:00:00Z',
        visitors: 60,
        paid: 20,
        missing: 80,
        conclusive: false,
        variations: [
          { variation: 0, letter: 'A', value: 'Oma.', visitors: 30, paid: 9 },
          { variation: 7, letter: 'B', value: 'Toinen.', visitors: 30, paid: 11 },
        ],
      },
    }),
  );
  const part = within(screen.getByRole('region', { name: 'Kumpi tuo tukijoita: tiivistelmä' }));
  expect(part.getByText('Liian aikaista sanoa')).toBeVisible();
  expect(part.queryByText(/%/)).not.toBeInTheDocument();
  await pointer.click(part.getByRole('button', { name: 'Lopeta koe' }));
  expect(stopped).toEqual([]);
  const dialog = await screen.findByRole('dialog', { name: 'Lopetetaanko koe?' });
  await pointer.click(within(dialog).getByRole('button', { name: 'Lopeta koe' }));
  await waitFor(() => expect(stopped).toHaveLength(1));
});

test('a table of backers that cannot be fetched says so, and the page stays', async () => {
  const { pointer } = await open(anOverview());
  server.use(http.get(content('/campaigns/3/backers/table/'), () => refusal('internal_error', 500)));
  await pointer.click(screen.getByRole('button', { name: 'Tukijat taulukkona' }));
  expect(await screen.findByText('Taulukkoa ei saatu')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Höyry' })).toBeVisible();
});

test.each([
  ['of the mode bar', 'Kirjoita päivitys'],
  ['of the next task', 'Kirjoita'],
])('the button %s opens the empty draft and creates no other', async (_, name) => {
  const { pointer, router } = await open(anOverview({ next: [{ kind: 'first_post' }] }));
  server.use(
    // There is no handler for creating a draft, so the request would fail the test.
    http.get(content('/campaigns/3/posts/preview/'), () =>
      HttpResponse.json({
        previews: [
          aPostPreview({
            id: 9,
            status: 'draft',
            published_at: undefined,
            title: '',
            intro: '',
            is_empty: true,
          }),
        ],
        total: 1,
      }),
    ),
    http.get(content('/campaigns/3/posts/9/admin/'), () => refusal('not_found', 404)),
  );
  await pointer.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/posts/9/edit/'));
});

test.each([
  [7, 225, /Viime viikolla tuli 225 € päivässä, joten tahti riittää hyvin/],
  [7, 0, /Viime viikolla ei tullut mitään/],
  [2, 225, /2 ensimmäisenä päivänä tuli 225 € päivässä, joten tahti riittää hyvin/],
  [2, 0, /2 ensimmäisenä päivänä ei tullut mitään/],
  [1, 30, /Ensimmäisenä päivänä tuli 30 €, joten tahti ei vielä riitä/],
  [0, 0, /72 € päivässä\. Tahti näkyy, kun ensimmäinen päivä on täynnä/],
])('the pace of %s complete days with %s a day is described in words', async (days, a_day, words) => {
  await open(
    anOverview({
      pace: { missing: 500, days_left: 7, needed_a_day: 71.43, recent_a_day: a_day, recent_days: days },
    }),
  );
  const told = screen.getByText(words);
  expect(told).toBeVisible();
  if (days < 7) expect(told).not.toHaveTextContent('viikolla');
});

test('a draft offers neither the table of backers nor writing an update', async () => {
  serveCampaign(aCampaign({ acl: ['view', 'edit'], stage: 0 }));
  const overview = anOverview({ stage: 0, next: [{ kind: 'ask_review' }], days: [], pace: undefined });
  server.use(http.get(content('/campaigns/3/overview/'), () => HttpResponse.json({ overview })));
  await renderAt('/3/hoyry/overview/', { user: aUser() });
  expect(await screen.findByRole('link', { name: 'Sivulle' })).toHaveAttribute('href', '/3/hoyry/edit/');
  expect(screen.queryByRole('button', { name: 'Kirjoita päivitys' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Tukijat taulukkona' })).not.toBeInTheDocument();
});

test('a goal that is nearly reached is not told as 100 %', async () => {
  const pace = { missing: 0.4, days_left: 7, needed_a_day: 0.06, recent_a_day: 225, recent_days: 2 };
  await open(anOverview({ funding_reached: 999.6, pace }));
  expect(screen.getByText(/^99.% tavoitteesta 1.000.€$/)).toBeVisible();
  expect(screen.getByText(/^Jäljellä on 0,40.€ ja 7 päivää/)).toBeVisible();
});

test.each([
  [2, 1],
  [3, 0],
])(
  'a goal that is reached at stage %i leaves room for more only while pledges are taken',
  async (stage, said) => {
    server.use(http.get(content('/campaigns/3/deliveries/'), () => HttpResponse.json({ rewards: [] })));
    await open(anOverview({ funding_reached: 1200, pace: undefined, stage }), { stage });
    expect(screen.queryAllByText('Tavoite on täynnä. Kaikki tästä eteenpäin on lisää.')).toHaveLength(said);
  },
);

test('a creator cancels a campaign from the version as it is now, after it was said what goes back', async () => {
  const sent: unknown[] = [];
  serveCampaign(
    aCampaign({
      acl: ['view', 'edit'],
      stage: 2,
      creator: { ...aCampaign().creator, user_id: aUser().user_id },
    }),
  );
  server.use(
    http.get(content('/campaigns/3/overview/'), () => HttpResponse.json({ overview: anOverview() })),
    http.get(content('/campaigns/3/admin/'), () =>
      HttpResponse.json({ campaign: { version: 8 }, writers: [] }),
    ),
    http.patch(content('/campaigns/3/admin/'), async ({ request }) => {
      sent.push([request.headers.get('If-Match'), await request.json()]);
      return HttpResponse.json({ campaign: { version: 9 }, writers: [] });
    }),
  );
  const { pointer } = await renderAt('/3/hoyry/overview/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Peru kampanja' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Perutaanko kampanja?' }));
  expect(dialog.getByText(/Kaikki 9 tukijaa saavat rahansa takaisin, yhteensä 500/)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Peru kampanja' }));
  expect(sent).toEqual([]); // a reason is missing
  await pointer.fill(dialog.getByLabelText('Syy'), 'Talo on myyty');
  await pointer.click(dialog.getByRole('button', { name: 'Peru kampanja' }));
  await waitFor(() => expect(sent).toEqual([['"8"', { stage: 5, reason: 'Talo on myyty' }]]));
});

test.each([
  ['others of the team', { creator: { ...aCampaign().creator, user_id: 99 } }],
  ['who has ended it', { stage: 3 }],
])('%s cannot cancel it', async (_, overrides) => {
  serveCampaign(
    aCampaign({
      acl: ['view', 'edit'],
      stage: 2,
      creator: { ...aCampaign().creator, user_id: aUser().user_id },
      ...overrides,
    }),
  );
  server.use(
    http.get(content('/campaigns/3/overview/'), () => HttpResponse.json({ overview: anOverview() })),
    http.get(content('/campaigns/3/deliveries/'), () => HttpResponse.json({ rewards: [] })),
  );
  await renderAt('/3/hoyry/overview/', { user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Höyry' });
  expect(screen.queryByRole('button', { name: 'Peru kampanja' })).not.toBeInTheDocument();
});

test('of a campaign that has ended a reward is marked as sent, to all or to one, and the fault stands at its field', async () => {
  const reward = { reward_id: 5, title: 'Kirves', kind: 'goods', waiting: 2, sent: 0 };
  const sent: unknown[] = [];
  let isRefused = true;
  serveCampaign(aCampaign({ acl: ['view', 'edit'], stage: 3 }));
  server.use(
    http.get(content('/campaigns/3/overview/'), () =>
      HttpResponse.json({ overview: anOverview({ stage: 3 }) }),
    ),
    http.get(content('/campaigns/3/deliveries/'), () =>
      HttpResponse.json({
        ended_on: '2026-11-26',
        rewards: [sent.length > 1 ? { ...reward, waiting: 0, sent: 2, last_sent_on: '2026-12-03' } : reward],
      }),
    ),
    http.post(content('/campaigns/3/deliveries/'), async ({ request }) => {
      sent.push(await request.json());
      if (isRefused) {
        isRefused = false;
        return refusal('invalid_fields', 422, {
          fields: [
            {
              path: 'day',
              rule: 'date_from',
              message: 'Aikaisintaan 2026-11-26.',
              params: { min: '2026-11-26' },
            },
          ],
        });
      }
      return HttpResponse.json({ ended_on: '2026-11-26', rewards: [] });
    }),
  );
  const { pointer } = await renderAt('/3/hoyry/overview/', { user: aUser() });
  const part = await screen.findByRole('region', { name: 'Toimitukset' });
  expect(part).toHaveTextContent('2 odottaa');
  await pointer.click(within(part).getByRole('button', { name: 'Merkitse lähetetyksi: Kirves' }));
  const form = await screen.findByRole('dialog', { name: 'Milloin lähetit sen?' });
  const receipt = within(form).getByLabelText(/Kuitin numero/);
  const act = within(form).getByRole('button', { name: 'Merkitse ja kerro kaikille 2 odottavalle' });
  fireEvent.change(receipt, { target: { value: 'TK-2026-000001' } });
  expect(act).toHaveTextContent('Merkitse ja kerro yhdelle');
  fireEvent.change(receipt, { target: { value: ' ' } });
  expect(act).toHaveTextContent('Merkitse ja kerro kaikille 2 odottavalle');
  await pointer.click(act);
  expect(sent).toEqual([]);
  const day = within(form).getByLabelText(/Päivä/);
  fireEvent.change(day, { target: { value: '2026-11-20' } });
  await pointer.click(act);
  await waitFor(() => expect(day).toHaveAccessibleDescription(/Aikaisintaan/));
  fireEvent.change(day, { target: { value: '2026-12-03' } });
  await pointer.click(act);
  expect(await within(part).findByText(/2 tukijalle lähetetty, viimeksi 3\.12\.2026/)).toBeVisible();
  expect(sent).toEqual([
    { reward_id: 5, day: '2026-11-20' },
    { reward_id: 5, day: '2026-12-03' },
  ]);
});
