import { expectAccessible, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, journey } from './journey';

journey('a campaign’s page suggests others, and names its feed and its oEmbed', desktop, async ({ page }) => {
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
