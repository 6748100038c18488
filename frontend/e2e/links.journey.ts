import { expect } from '@playwright/test';
import { isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';

desktop('no link leads to a page that does not exist', async ({ page }) => {
  const { address } = await demoCampaign('suonsilma');
  const found = new Set<string>();
  for (const start of ['/', '/campaigns/', '/experiments/', address, `${address}pledge/`, '/info/start/']) {
    await page.goto(start);
    await sees(page.getByRole('heading', { level: 1 }));
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
    for (const link of links) found.add(representative(link));
  }
  await isAt(page, '/info/start/');
  // The app shows of every page what the server says of it (paint.journey.ts), so that the server is asked.
  const leadsNowhere = async (link: string) => (await page.context().request.get(link)).status() !== 200;
  expect(await leadsNowhere('/ei-sellaista-sivua/')).toBe(true);
  expect(found.size).toBeGreaterThan(20);
  for (const link of found) if (await leadsNowhere(link)) throw new Error(`${link} leads nowhere.`);

  /** Maps the paths of all campaigns to one of them, so that each kind of page is visited once. */
  function representative(link: string): string {
    const kind = link.replace(
      /^(\/(?:en|sv))?\/\d+\/[^/]+\//,
      (_, language: string | undefined) => `${language ?? ''}${address}`,
    );
    return kind.replace(/\/pledge\/\d+$/, '/pledge/');
  }
});
