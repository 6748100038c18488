import { act, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../test/builders';
import { serveCampaign } from '../../../test/campaigns';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { CampaignOverview, OverviewMonthly } from '../../api/editing';

const aMonthly = (overrides: Partial<OverviewMonthly> = {}): OverviewMonthly => ({
  supporters: 3,
  amount: 30,
  resting: 1,
  months: [
    { month: '2026-10-01', supporters: 3, amount: 27, resting: 0, came: 3, gone: 0, received: 27 },
    { month: '2026-11-01', supporters: 3, amount: 30, resting: 1, came: 2, gone: 1, received: 20 },
  ],
  next_month: {
    month: '2026-12-01',
    supporters: 1,
    amount: 15,
    unsure: [
      { reason: 'paused', supporters: 1, amount: 5 },
      { reason: 'charge_failing', supporters: 2, amount: 9.5 },
    ],
  },
  goals: [
    { goal_id: 1, target: 1, title: 'Huone', description: '' },
    { goal_id: 2, target: 2, title: 'Nuotit', description: '' },
    { goal_id: 3, target: 5, title: 'Piano', description: '' },
  ],
  ...overrides,
});

async function open(monthly: OverviewMonthly) {
  const overview: CampaignOverview = {
    campaign_id: 3,
    slug: 'kuoro',
    title: 'Kuoro',
    project_pic: 'kuoro.svg',
    stage: 6,
    currency: 'EUR',
    funding_reached: 0,
    funding_settling: 0,
    min_goal: 0,
    target_goal: 0,
    number_of_backers: 0,
    days: [],
    sources: [],
    rewards: [],
    without_reward: { backers: 3, amount: 30 },
    settling: [],
    posts: [],
    next: [],
    monthly,
  };
  serveCampaign(aCampaign({ acl: ['view', 'edit'], stage: 6 }));
  server.use(http.get(content('/campaigns/3/overview/'), () => HttpResponse.json({ overview })));
  const opened = await renderAt('/3/kuoro/overview/', { user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Kuoro' });
  return opened;
}

test('bars, table and sentence have the same numbers, of the money and of who came and went', async () => {
  const { pointer, container } = await open(aMonthly());
  const bars = () => [...container.querySelectorAll('[data-bar]')].map((bar) => bar.getAttribute('data-bar'));
  expect(bars()).toEqual(['27', '30']);
  const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', { hidden: true });
  expect(rows.map((row) => row.textContent.replace(/\s/g, ' '))).toEqual([
    expect.stringContaining('Tauolla tai maksamatta'),
    'lokakuu 2026330027 €27 €',
    'marraskuu 2026321130 €20 €',
  ]);
  await pointer.click(screen.getByRole('radio', { name: 'Tukijat' }));
  expect(bars()).toEqual(['3', '0', '2', '-1']);
  expect(screen.getByText('Tässä kuussa aloitti 2 tukijaa. Yksi lopetti.')).toBeVisible();
});

test('next month has what is sure, and each reason why the rest is not, the urgent ones first', async () => {
  const { container } = await open(aMonthly());
  const next = within(screen.getByRole('region', { name: 'Tulot joulukuussa' }));
  expect(next.getByText(/^15.€$/)).toBeVisible();
  expect(next.getByText('yhdeltä tukijalta, jonka tuki on varmaa')).toBeVisible();
  expect(next.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^2 veloitusta ei mene läpi.*9.€$/),
    expect.stringMatching(/^1 on tauolla.*5.€$/),
  ]);
  expect(container.querySelector('[data-plan]')?.getAttribute('data-plan')).toBe('15');
});

test('a reached goal that next month’s sure supporters do not carry says so', async () => {
  await open(aMonthly());
  const rows = within(screen.getByRole('region', { name: 'Tavoitteet' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'HuoneTäynnä1',
    'NuotitEnsi kuussa varmoja tukijoita on 1.Täynnä, epävarma2',
    'Piano2 puuttuu5',
  ]);
});

test('arrow keys choose a month for screen readers and the tooltip', async () => {
  const { pointer } = await open(aMonthly());
  const months = screen.getByRole('slider', { name: 'Kuukausi' });
  act(() => months.focus());
  expect(months).toHaveAttribute(
    'aria-valuetext',
    expect.stringMatching(/^marraskuu 2026, 30.€, 3 tukijaa, 2 aloitti, 1 lopetti$/),
  );
  await pointer.keyboard('{ArrowLeft}');
  expect(months).toHaveAttribute('aria-valuetext', expect.stringMatching(/^lokakuu 2026, 27.€/));
});

test('without supporters the chart says that the first will be shown in it', async () => {
  const next_month = { month: '2026-12-01', supporters: 0, amount: 0, unsure: [] };
  await open(aMonthly({ supporters: 0, amount: 0, resting: 0, months: [], next_month, goals: [] }));
  expect(screen.getByRole('img', { name: 'Ensimmäinen tukija näkyy tässä' })).toBeVisible();
  expect(screen.queryByRole('slider')).not.toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Tavoitteet' })).not.toBeInTheDocument();
});

test('the table is that of supporters, and one that cannot be fetched says so', async () => {
  const { pointer } = await open(aMonthly());
  server.use(http.get(content('/campaigns/3/supporters/table/'), () => refusal('internal_error', 500)));
  await pointer.click(screen.getByRole('button', { name: 'Tukijat taulukkona' }));
  expect(await screen.findByText('Taulukkoa ei saatu')).toBeVisible();
});
