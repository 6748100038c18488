import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPreview, aUser, inDays } from '../../../../test/builders';
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

test('a sum that is rounded to 100 % says what was missing', async () => {
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
      HttpResponse.json({ previews: [ended], total: 1 }),
    ),
  );
  await renderAt('/my-campaigns/', { user: aUser() });
  expect(await screen.findByText(/100.% · vielä 14.€, 312 tukijaa/)).toBeVisible();
});
