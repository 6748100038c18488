import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { CampaignRow } from '../../../api/staff';
import { stateOf } from './state';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });

const aRow = (overrides: Partial<CampaignRow> = {}): CampaignRow => ({
  campaign_id: 7,
  slug: 'hoyry',
  title: 'Höyry',
  language: 'fi',
  creator: 'Áile',
  stage: 2,
  review: 'approved',
  currency: 'EUR',
  raised: 1200,
  goal: 2000,
  funding_deadline: '2026-11-26T21:59:59Z',
  version: 4,
  ...overrides,
});

function serve(rows: CampaignRow[] = [aRow()]) {
  const asked: string[] = [];
  const closed: { ifMatch: string | null; body: unknown }[] = [];
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
    http.get(content('/campaigns/admin/fi/'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ campaigns: rows, total: 31, stages: [4, 1, 20, 2, 1, 1, 2] });
    }),
    http.patch(content('/campaigns/7/admin/'), async ({ request }) => {
      closed.push({ ifMatch: request.headers.get('If-Match'), body: await request.json() });
      return HttpResponse.json({ campaign: {} });
    }),
  );
  return { asked, closed };
}

/** Somebody else changes the campaign as soon as a call is refused; the list that says so comes once it is shown. */
function serveChange() {
  let version = 4;
  let isAskedFor = false;
  let show: (() => void) | undefined;
  const shown = new Promise<void>((resolve) => (show = resolve));
  server.use(
    http.get(content('/campaigns/admin/fi/'), async () => {
      if (version > 4) {
        isAskedFor = true;
        await shown;
      }
      return HttpResponse.json({ campaigns: [aRow({ version })], total: 1, stages: [0, 0, 1, 0, 0, 0, 0] });
    }),
  );
  return {
    refuse: () => {
      version = 5;
      return refusal('changed_meanwhile', 412, { version });
    },
    isAskedFor: () => isAskedFor,
    show: () => show?.(),
  };
}

test('each stage tells how many campaigns it has, and is in the address', async () => {
  const { asked } = serve();
  const { pointer, router } = await renderAt('/admin/campaigns/', { user: admin });
  expect(await screen.findByText('Höyry')).toBeVisible();
  const stages = within(screen.getByRole('list', { name: 'Vaihe' }));
  expect(stages.getByRole('button', { name: 'Kaikki 31' })).toHaveAttribute('aria-pressed', 'true');
  await pointer.click(stages.getByRole('button', { name: 'Rahoituksessa 20' }));
  await waitFor(() => expect(router.state.location.search).toBe('?stage=2'));
  await waitFor(() => expect(asked.at(-1)).toBe('?limit=10&offset=0&stages=2&sort=id&direction=desc'));
  await pointer.click(screen.getByRole('button', { name: 'Nimi' }));
  await waitFor(() => expect(router.state.location.search).toBe('?stage=2&sort=title'));
  await pointer.click(screen.getByRole('button', { name: 'Sivu 2' }));
  await waitFor(() => expect(asked.at(-1)).toContain('offset=10'));
});

test('a campaign is closed with a reason, after it was said what that means, from the version that was seen', async () => {
  const { closed } = serve();
  const { pointer } = await renderAt('/admin/campaigns/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Sulje: Höyry' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Suljetaanko Höyry?' }));
  expect(dialog.getByText(/maksamatta jääneet tuet raukeavat/)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Sulje kampanja' }));
  expect(dialog.getByLabelText('Syy')).toHaveFocus();
  expect(closed).toEqual([]);
  await pointer.fill(dialog.getByLabelText('Syy'), 'Tekijä pyysi');
  await pointer.click(dialog.getByRole('button', { name: 'Sulje kampanja' }));
  await waitFor(() =>
    expect(closed).toEqual([{ ifMatch: '"4"', body: { stage: 5, reason: 'Tekijä pyysi' } }]),
  );
});

test('who closes a campaign that somebody has changed meanwhile is told so, and closes it as it is now', async () => {
  const { closed } = serve();
  const change = serveChange();
  server.use(http.patch(content('/campaigns/7/admin/'), change.refuse, { once: true }));
  const { pointer } = await renderAt('/admin/campaigns/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Sulje: Höyry' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Suljetaanko Höyry?' }));
  await pointer.fill(dialog.getByLabelText('Syy'), 'Tekijä pyysi');
  const act = dialog.getByRole('button', { name: 'Sulje kampanja' });
  await pointer.click(act);
  // Who were told before the campaign has been read again would be refused once more.
  await waitFor(() => expect(change.isAskedFor()).toBe(true));
  expect(act).toHaveAttribute('aria-busy', 'true');
  expect(dialog.queryByText(/Joku muu on muuttanut/)).not.toBeInTheDocument();
  change.show();
  expect(await dialog.findByText(/Joku muu on muuttanut/)).toBeVisible();
  await pointer.click(act);
  await waitFor(() => expect(closed.map(({ ifMatch }) => ifMatch)).toEqual(['"5"']));
});

test('who stops a campaign that somebody has changed meanwhile is told so, and stops it as it is now', async () => {
  serve();
  const change = serveChange();
  const sent: (string | null)[] = [];
  server.use(
    http.put(content('/campaigns/7/hold/'), ({ request }) => {
      sent.push(request.headers.get('If-Match'));
      return sent.length === 1 ? change.refuse() : HttpResponse.json({ campaign: {} });
    }),
  );
  const { pointer } = await renderAt('/admin/campaigns/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Pysäytä: Höyry' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pysäytetäänkö Höyry?' }));
  await pointer.click(dialog.getByRole('button', { name: 'Pysäytä' }));
  change.show();
  expect(await dialog.findByText(/Joku muu on muuttanut/)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Pysäytä' }));
  expect(await screen.findByText('Kampanja on tauolla')).toBeVisible();
  expect(sent).toEqual(['"4"', '"5"']);
});

test('when a stopped campaign has left the list, the focus is at the page’s title', async () => {
  serve();
  server.use(
    http.put(content('/campaigns/7/hold/'), () => {
      serve([]);
      return HttpResponse.json({ campaign: {} });
    }),
  );
  const { pointer } = await renderAt('/admin/campaigns/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Pysäytä: Höyry' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pysäytetäänkö Höyry?' }));
  await pointer.click(dialog.getByRole('button', { name: 'Pysäytä' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});

test('drafts and closed campaigns cannot be closed', async () => {
  serve([
    aRow({ stage: 0, review: 'requested', funding_deadline: undefined }),
    aRow({ campaign_id: 8, stage: 5 }),
  ]);
  await renderAt('/admin/campaigns/', { user: admin });
  expect(await screen.findByText('Tarkistuksessa')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Sulje:/ })).not.toBeInTheDocument();
});

test.each([
  ['waits', 'Maksa tekijälle', 'Maksetaanko kampanjan Höyry rahat tekijälle?', 'goes', 'Tekijälle maksetaan'],
  [
    'goes',
    'Pysäytä maksut',
    'Pysäytetäänkö kampanjan Höyry maksut tekijälle?',
    'waits',
    'Maksut tekijälle odottavat',
  ],
] as const)(
  'what is its creator’s of a stopped campaign %s: %s',
  async (payout, act, title, wanted, said) => {
    serve([aRow({ stage: 5, hold: 'stopped', payout })]);
    const sent: unknown[] = [];
    server.use(
      http.put(content('/campaigns/7/payout/'), async ({ request }) => {
        sent.push(request.headers.get('If-Match'), await request.json());
        return sent.length === 2 ? refusal('creator_blocked', 409) : HttpResponse.json({ campaign: {} });
      }),
    );
    const { pointer } = await renderAt('/admin/campaigns/', { user: admin });
    await pointer.click(await screen.findByRole('button', { name: `${act}: Höyry` }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    await pointer.click(dialog.getByRole('button', { name: act }));
    expect(await dialog.findByText(/tili on suljettu/)).toBeVisible();
    await waitFor(() => expect(dialog.getByRole('button', { name: act })).toBeEnabled());
    await pointer.click(dialog.getByRole('button', { name: act }));
    expect(await screen.findByText(said)).toBeVisible();
    const change = { payout: wanted };
    expect(sent).toEqual(['"4"', change, '"4"', change]);
  },
);

test('a hold of a closed campaign can be lifted, a stop cannot', async () => {
  serve([
    aRow({ stage: 5, hold: 'on_hold' }),
    aRow({ campaign_id: 8, slug: 'sauna', title: 'Sauna', stage: 5, hold: 'stopped' }),
  ]);
  await renderAt('/admin/campaigns/', { user: admin });
  expect(await screen.findByRole('button', { name: 'Ota jatkoon: Höyry' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Ota jatkoon: Sauna' })).not.toBeInTheDocument();
});

test.each(['?page=0', '?stage=7', '?stage=x', '?sort=karma', '?direction=up'])('%s is ignored', (search) => {
  expect(stateOf(search)).toEqual(stateOf(''));
});
