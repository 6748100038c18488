import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { anExperiment, aPreview, aUser, inDays } from '../../../../test/builders';
import { failing } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';

const ended = aPreview({
  stage: 4,
  target_goal: 3_200,
  funding_reached: 3_186,
  funding_deadline: inDays(-2),
});

test('own campaigns that cannot be read say so, and can be read again', async () => {
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
      HttpResponse.json({ previews: [ended], total: 1 }),
    ),
  );
  const gate = failing('/campaigns/mycampaigns/preview/fi/');
  const { pointer } = await renderAt('/my-campaigns/', { user: aUser() });
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  gate.open();
  await pointer.click(again);
  expect(await screen.findByRole('heading', { name: ended.title })).toBeVisible();
});

test('a sum just below the goal is not told as 100 %', async () => {
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
      HttpResponse.json({ previews: [ended], total: 1 }),
    ),
  );
  await renderAt('/my-campaigns/', { user: aUser() });
  expect(await screen.findByText(/99.%, 312 tukijaa/)).toBeVisible();
});

test.each([
  ['Pysäytetty', 5, 'stopped' as const],
  ['Suljettu', 5, undefined],
  ['Tauolla', 2, 'on_hold' as const],
])(
  'an own campaign that was %s says so, and not that it ended on its last day',
  async (state, stage, hold) => {
    const previews = [aPreview({ stage, hold, funding_deadline: inDays(30) })];
    server.use(
      http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
        HttpResponse.json({ previews, total: 1 }),
      ),
    );
    await renderAt('/my-campaigns/', { user: aUser() });
    expect(await screen.findByText(state)).toBeVisible();
    expect(screen.queryByText(/^päättyi/)).not.toBeInTheDocument();
  },
);

const serveDraft = (creator = 7) => {
  const state = {
    previews: [
      aPreview({ stage: 0, title: 'Höyry', campaign_id: 3, creator: { ...ended.creator, user_id: creator } }),
    ],
  };
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
      HttpResponse.json({ previews: state.previews, total: state.previews.length }),
    ),
    http.delete(content('/campaigns/3/'), () => {
      state.previews = [];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return state;
};

test('a draft is thrown away after one question that says what goes', async () => {
  const state = serveDraft();
  const { pointer } = await renderAt('/my-campaigns/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Poista luonnos' }));
  const dialog = await screen.findByRole('dialog', { name: 'Poistetaanko Höyry?' });
  expect(dialog).toHaveTextContent('heti ja lopullisesti');
  await pointer.click(screen.getByRole('button', { name: 'Pidä luonnos' }));
  expect(state.previews).toHaveLength(1);
  await pointer.click(screen.getByRole('button', { name: 'Poista luonnos' }));
  await pointer.click(await screen.findByRole('button', { name: 'Poista lopullisesti' }));
  expect(await screen.findByText('Ei vielä yhtään kampanjaa')).toBeVisible();
});

test('what is public and what is somebody else’s cannot be thrown away', async () => {
  serveDraft(99);
  await renderAt('/my-campaigns/', { user: aUser() });
  await screen.findByRole('heading', { name: 'Höyry' });
  expect(screen.queryByRole('button', { name: 'Poista luonnos' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Kopioi' })).not.toBeInTheDocument();
});

test('a copy opens for editing, and a repeated press after a lost answer has the same key', async () => {
  serveDraft();
  const keys: (string | null)[] = [];
  server.use(
    http.post(content('/campaigns/3/copy/'), ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1
        ? HttpResponse.error()
        : HttpResponse.json({ campaign: { campaign_id: 9, slug: 'hoyry', version: 1 } }, { status: 201 });
    }),
    http.get(content('/campaigns/9/fi/'), () => new HttpResponse(null, { status: 404 })),
  );
  const { pointer, router } = await renderAt('/my-campaigns/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Kopioi' }));
  expect(await screen.findByRole('alert')).not.toBeEmptyDOMElement();
  await pointer.click(screen.getByRole('button', { name: 'Kopioi' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/9/hoyry/edit/'));
  expect(keys[0]).toBe(keys[1]);
});

test('own experiments are listed, also those that nobody else sees yet', async () => {
  serveDraft();
  server.use(
    http.get(content('/experiments/preview/fi/'), ({ request }) => {
      expect(new URL(request.url).searchParams.get('team_member_id')).toBe('7');
      return HttpResponse.json({ previews: [anExperiment({ title: 'Työkalut', show_in: {} })], total: 1 });
    }),
  );
  await renderAt('/my-campaigns/', { user: aUser() });
  const own = within(await screen.findByRole('region', { name: 'Omat kokeilut' }));
  expect(own.getByRole('link', { name: 'Työkalut' })).toBeVisible();
  expect(own.getByText('Ei vielä luettelossa')).toBeVisible();
  expect(own.getByRole('link', { name: /^Jatka kirjoittamista/ })).toHaveAttribute(
    'href',
    expect.stringMatching(/experiments\/.*\/edit\/$/),
  );
});
