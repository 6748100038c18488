import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { webcrypto } from 'node:crypto';
import { aCampaign } from '../../../../test/builders';
import { serveCampaign } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, server, untilQuiet } from '../../../../test/server';
import { prepareVariation, withVariation } from './variation';

beforeAll(() => Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true }));

const address = '/3/hoyry/';
const testing = (field: 'title' | 'tagline', value: string) => ({
  content_variations: [{ variation: 7, field, language: 'fi', value }],
});

test('a visitor is counted once the page is shown, with an id and a source and nothing else', async () => {
  const visits: unknown[] = [];
  serveCampaign(aCampaign());
  server.use(
    http.post(content('/campaigns/3/visits/'), async ({ request }) => {
      visits.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await renderAt(address);
  await screen.findByRole('heading', { level: 1 });
  await act(untilQuiet);
  expect(visits).toEqual([{ visitor: expect.stringMatching(/^[0-9a-z]{26}$/) as string, source: 'link' }]);
});

test('a visit that fails to be counted shows no error', async () => {
  serveCampaign(aCampaign());
  server.use(http.post(content('/campaigns/3/visits/'), () => HttpResponse.error()));
  await renderAt(address);
  await screen.findByRole('heading', { level: 1 });
  await act(untilQuiet);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a visit by the campaign’s team is not counted', async () => {
  let count = 0;
  serveCampaign(aCampaign({ acl: ['view', 'edit'] }));
  server.use(
    http.post(content('/campaigns/3/visits/'), () => {
      count += 1;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await renderAt(address);
  await screen.findByRole('heading', { level: 1 });
  await act(untilQuiet);
  expect(count).toBe(0);
});

test('while taglines are tested, every visitor sees one in addition to the summary', async () => {
  serveCampaign(aCampaign({ tagline: 'Oma', short_description: 'Pitkä', ...testing('tagline', 'Toinen') }));
  await renderAt(address);
  expect(await screen.findByText(/^(Oma|Toinen)$/)).toBeVisible();
  expect(screen.getByText('Pitkä')).toBeVisible();
});

test('a variation of the cover does not have the original’s alternative text', async () => {
  window.localStorage.setItem('tk-visitor', '0123456789abcdefghijklmnop');
  const campaign = aCampaign({
    campaign_id: 1,
    project_pic_alt: 'Lautta',
    content_variations: [{ variation: 1, field: 'project_pic', value: 'toinen.jpg' }],
  });
  await prepareVariation(campaign);
  expect(withVariation(campaign)).toMatchObject({ project_pic: 'toinen.jpg', project_pic_alt: '' });
});

test('a variation of another language than the page’s changes nothing', () => {
  const campaign = aCampaign({ language: 'en', ...testing('title', 'Toinen') });
  expect(withVariation(campaign)).toBe(campaign);
});

test('a visitor sees the variation that the documented weights assign to them', async () => {
  // proto-docs/flows/variations.md: for this visitor and campaign 1, variation 1 outweighs the campaign's own.
  window.localStorage.setItem('tk-visitor', '0123456789abcdefghijklmnop');
  serveCampaign(
    aCampaign({
      campaign_id: 1,
      content_variations: [{ variation: 1, field: 'title', language: 'fi', value: 'Toinen nimi' }],
    }),
  );
  await renderAt('/1/hoyry/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Toinen nimi' })).toBeVisible();
});
