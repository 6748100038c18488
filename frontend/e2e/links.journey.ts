import { isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';

const notFound = 'Tätä sivua ei löydy';

desktop('no link leads to a page that does not exist', async ({ page, context }) => {
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
  const other = await context.newPage();
  for (const link of found) {
    await other.goto(link);
    await sees(other.getByRole('heading', { level: 1 }));
    const title = await other.getByRole('heading', { level: 1 }).innerText();
    if (title === notFound) throw new Error(`${link} leads nowhere.`);
  }

  /** Maps the paths of all campaigns to one of them, so that each kind of page is visited once. */
  function representative(link: string): string {
    const kind = link.replace(
      /^(\/(?:en|sv))?\/\d+\/[^/]+\//,
      (_, language: string | undefined) => `${language ?? ''}${address}`,
    );
    return kind.replace(/\/pledge\/\d+$/, '/pledge/');
  }
});
