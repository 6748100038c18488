import { expect } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { ask, demoCampaign, suggestionsAreReady } from './demo';
import { desktop, phone } from './journey';
import { focused } from './keys';

desktop.beforeAll(() => suggestionsAreReady());

desktop('a campaign’s page suggests others, and names its feed and its oEmbed', async ({ page }) => {
  const { address } = await demoCampaign('suonsilma');
  await page.goto(address);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  const suggestions = page.getByRole('region', { name: 'Lähde mukaan myös näihin' });
  await sees(suggestions.getByRole('link'));
  await expectAccessible(page);
  const found = await page.evaluate(async () => {
    const link = (type: string) =>
      document.querySelector<HTMLLinkElement>(`link[type="${type}"]`)?.href ?? '';
    const feed = await (await fetch(new URL(link('application/atom+xml')).pathname)).text();
    const embed = new URL(link('application/json+oembed'));
    const card = (await (await fetch(embed.pathname + embed.search)).json()) as {
      type: string;
      html: string;
    };
    const parsed = new DOMParser().parseFromString(feed, 'application/xml');
    return { root: parsed.documentElement.localName, isBroken: !!parsed.querySelector('parsererror'), card };
  });
  expect(found).toMatchObject({ root: 'feed', isBroken: false, card: { type: 'rich' } });
  expect(found.card.html).not.toContain('<script');
});

phone('an experiment’s page suggests others, on a phone, in Finnish and English', async ({ page }) => {
  const { previews } = await ask<{ previews: { experiment_id: number; slug: string; stage: number }[] }>(
    '/content/experiments/preview/fi/?limit=24',
  );
  const experiment = previews.find(({ stage }) => stage === 2);
  const address = `/experiments/${experiment?.experiment_id}/${experiment?.slug}/`;
  for (const [prefix, name] of [
    ['', 'Lähde mukaan myös näihin'],
    ['/en', 'You could join these too'],
  ] as const) {
    await page.goto(prefix + address);
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await sees(page.getByRole('region', { name }).getByRole('link'));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});

desktop('a suggestion is reached and opened with the keyboard', async ({ page }) => {
  const { address } = await demoCampaign('suonsilma');
  await page.goto(address);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  const first = page.getByRole('region', { name: 'Lähde mukaan myös näihin' }).getByRole('link').first();
  await sees(first);
  const title = ((await first.textContent()) ?? '').trim();
  await page.getByRole('contentinfo').getByRole('link').first().focus();
  await page.keyboard.press('Shift+Tab');
  for (let stop = 0; stop < 2; stop += 1) await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe(title);
  await page.keyboard.press('Enter');
  await sees(page.getByRole('heading', { level: 1, name: title }));
});
