import path from 'node:path';
import type { Page } from '@playwright/test';
import { sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop } from './journey';
import { newAddress } from './mailbox';
import { cards, en, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { outputDir } from './platform';

const dir = path.join(outputDir, 'shots');
const widths = [390, 820, 1440];
const themes = ['light', 'dark'] as const;

for (const language of ['fi', 'en'] as const) {
  desktop(`screenshots in ${language}`, async ({ page }) => {
    const base = language === 'fi' ? '' : `/${language}`;
    const { address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
    const monthly = await demoMonthly();
    const screens: Record<string, string> = {
      home: '/',
      campaigns: '/campaigns/',
      campaign: address,
      monthly,
      experiments: '/experiments/',
      start: '/info/start/',
      pledge: `${address}pledge/${await rewardOf(address)}`,
    };
    for (const [name, rest] of Object.entries(screens)) {
      await page.goto(base + rest);
      await sees(page.getByRole('heading', { level: 1 }));
      await takeAll(page, `${name}-${language}`);
    }

    await page.goto(`${base}${address}pledge/`);
    const words = language === 'fi' ? fi : en;
    await fillSum(page, words, '50');
    await fillContact(page, words, { email: newAddress('kuva'), first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.good);
    await pressPay(page, words);
    await seesThanks(page, words);
    await sees(
      page.getByRole('status').filter({ hasText: language === 'fi' ? 'Maksu onnistui' : 'Payment received' }),
    );
    await takeAll(page, `thanks-${language}`);

    await page.goto(`${base}/`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page
      .getByRole('banner')
      .getByRole('button', { name: language === 'fi' ? 'Kirjaudu' : 'Sign in' })
      .click();
    await sees(page.getByRole('dialog'));
    await takeAll(page, `sign-in-${language}`, false);
  });
}

async function takeAll(page: Page, name: string, fullPage = true) {
  for (const width of widths) {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      if (fullPage) await loadPictures(page);
      await page.screenshot({ path: path.join(dir, `${name}-${width}-${colorScheme}.png`), fullPage });
    }
  }
}

/** Loads pictures below the fold, which otherwise load on scrolling. */
async function loadPictures(page: Page) {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = 'eager';
    await Promise.allSettled([...document.images].map((picture) => picture.decode()));
  });
}

async function demoMonthly(): Promise<string> {
  const { previews } = await ask<{ previews: { campaign_id: number; slug: string }[] }>(
    '/content/campaigns/preview/subscriptions/fi/?limit=1',
  );
  const [first] = previews;
  if (!first) throw new Error('The demo has no monthly campaign.');
  return `/${first.campaign_id}/${first.slug}/`;
}

async function rewardOf(address: string): Promise<number> {
  const id = address.split('/')[1] ?? '';
  const { rewards } = await ask<{ rewards: { reward_id: number; asks_for_address: boolean }[] }>(
    `/content/campaigns/${id}/rewards/fi/`,
  );
  const found = rewards.find((reward) => reward.asks_for_address) ?? rewards[0];
  if (!found) throw new Error(`No rewards at ${address}.`);
  return found.reward_id;
}
