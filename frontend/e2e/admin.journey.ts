import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { asStaff } from './session';

/** An admin opens a section. */
async function asAdmin(page: Page, section: string) {
  await asStaff(page);
  await page.goto(`/admin/${section}/`);
}

/** A name that no other run has used. */
const own = (name: string) => `${name} ${Date.now().toString(36)}`;

desktop(
  'a new category has a name in each language, and creators can choose it',
  async ({ page, another }) => {
    await asAdmin(page, 'categories');
    await sees(page.getByRole('heading', { level: 1, name: 'Aiheet' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const names = { fi: own('Käsityö'), en: own('Crafts'), sv: own('Hantverk') };

    await page.getByRole('button', { name: 'Lisää aihe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Uusi aihe' });
    await dialog.getByRole('button', { name: 'Tallenna' }).click();
    await sees(dialog.getByText('Tämä tarvitaan.'));
    await dialog.getByLabel('Suomeksi').fill(names.fi);
    await dialog.getByLabel('Englanniksi').fill(names.en);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Tallenna' }).click();
    await disappears(dialog);
    const row = page.getByRole('row', { name: new RegExp(names.fi) });
    await sees(row.getByText('Puuttuu'));

    await row.getByRole('button', { name: `Nimeä: ${names.fi}` }).click();
    const rename = page.getByRole('dialog', { name: 'Aiheen nimi' });
    await rename.getByLabel('Ruotsiksi').fill(names.sv);
    await rename.getByRole('button', { name: 'Tallenna' }).click();
    await disappears(rename);
    await disappears(row.getByText('Puuttuu'));

    const creator = await another();
    await creator.goto('/en/create-campaign/');
    await sees(creator.getByText(names.en));

    // Nobody has it, so it can go again.
    await row.getByRole('button', { name: `Poista: ${names.fi}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Poista' }).click();
    await disappears(row);
  },
);

desktop(
  'with the keyboard alone a tag is renamed, and its campaigns show the new name',
  async ({ page, another }) => {
    const { previews } = await ask<{
      previews: { campaign_id: number; title: string; tags: { id: number; label: string }[] }[];
    }>('/content/campaigns/preview/en/?limit=50');
    const tagged = previews.find(({ tags }) => tags.length > 0);
    const tag = tagged?.tags[0];
    const before = tag?.label ?? '';
    const after = own('Renamed');

    await asStaff(page);
    await page.goto('/en/admin/tags/');
    await page.getByRole('searchbox', { name: 'Name of the tag' }).focus();
    await page.keyboard.type(before);
    await page.keyboard.press('Enter');
    await isAt(page, /^\/en\/admin\/tags\/\?keyword=/);
    const rename = (name: string) => page.getByRole('button', { name: `Rename: ${name}`, exact: true });
    await rename(before).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog').getByLabel('In English');
    await field.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(after);
    await page.keyboard.press('Enter');
    await disappears(page.getByRole('dialog'));
    await expectAccessible(page);

    const reader = await another();
    await eventually(
      async () => {
        const list = await ask<{ previews: { tags: { label: string }[] }[] }>(
          `/content/campaigns/preview/en/?campaign_ids=${tagged?.campaign_id ?? 0}`,
        );
        return list.previews[0]?.tags.map(({ label }) => label) ?? [];
      },
      (labels) => expect(labels).toContain(after),
    );
    await reader.goto(`/en/campaigns/?tags=${tag?.id ?? 0}`);
    await sees(reader.getByRole('button', { name: new RegExp(after) }));
    await sees(reader.getByRole('main').getByRole('link', { name: tagged?.title }));

    // As it was.
    await page.goto(`/en/admin/tags/?keyword=${encodeURIComponent(after)}`);
    await rename(after).press('Enter');
    await field.fill(before);
    await page.keyboard.press('Enter');
    await disappears(page.getByRole('dialog'));
  },
);

desktop(
  'what an admin chooses is first on the home page, for everybody and before the app',
  async ({ page, another }) => {
    const { previews } = await ask<{ previews: { slug: string }[] }>(
      '/content/campaigns/preview/fi/?limit=10&sort=popular',
    );
    const chosen = await demoCampaign(previews.at(-1)?.slug ?? '');
    await asAdmin(page, 'home');
    const campaigns = page.getByRole('region', { name: 'Kampanjat' });
    await campaigns.getByRole('searchbox', { name: 'Etsi kampanja' }).fill(chosen.title);
    await campaigns.getByRole('searchbox', { name: 'Etsi kampanja' }).press('Enter');
    await campaigns.getByRole('button', { name: `Lisää: ${chosen.title}` }).click();
    await sees(campaigns.getByText('Näkyy nyt'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Tallenna etusivu' }).click();
    await sees(page.getByText('Etusivu on tallennettu.'));

    const visitor = await another();
    await eventually(
      async () => {
        await visitor.goto('/');
        return visitor.getByRole('heading', { level: 1 }).innerText();
      },
      (title) => expect(title).toBe(chosen.title),
    );
    // The first paint names the same campaign, without any script.
    const painted = await (await fetch(new URL('/', visitor.url()))).text();
    expect(/<h1[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(painted)?.[1]).toBe(chosen.title);

    await page.getByRole('button', { name: `Poista: ${chosen.title}` }).click();
    await page.getByRole('button', { name: 'Tallenna etusivu' }).click();
    await sees(campaigns.getByText('Mitään ei ole valittu: ensimmäisinä ovat suosituimmat.'));
  },
);

desktop(
  'who orders categories beside somebody else sees their order, and keeps the own one',
  async ({ page, errors }) => {
    errors.expect(/\/categories\/order\//, 412);
    await asAdmin(page, 'categories');
    const names = async (of: Page) =>
      (await of.getByRole('row').locator('td:first-child').allInnerTexts()).map((name) => name.trim());
    await sees(page.getByRole('row').nth(3));
    const [first = '', second = '', third = ''] = await names(page);

    const beside = await page.context().newPage();
    await beside.goto('/admin/categories/');
    await beside.getByRole('button', { name: `Siirrä ylös: ${third}` }).click();
    await beside.getByRole('button', { name: 'Tallenna järjestys' }).click();
    await sees(beside.getByText('Tallennettu.'));
    await beside.close();

    // The focus stays on the arrow, so that one can go on.
    await page.getByRole('button', { name: `Siirrä alas: ${first}` }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await eventually(
      () => names(page),
      (order) => expect(order.slice(0, 3)).toEqual([second, third, first]),
    );
    await page.getByRole('button', { name: 'Tallenna järjestys' }).click();
    await sees(page.getByText(`toinen järjestys: ${first}, ${third}, ${second},`));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect((await names(page)).slice(0, 3)).toEqual([second, third, first]);
    await page.getByRole('button', { name: 'Tallenna järjestys' }).click();
    await disappears(page.getByRole('button', { name: 'Tallenna järjestys' }));
    expect((await names(page)).slice(0, 3)).toEqual([second, third, first]);

    // As it was.
    await page.getByRole('button', { name: `Siirrä ylös: ${first}` }).press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Tallenna järjestys' }).click();
    await disappears(page.getByRole('button', { name: 'Tallenna järjestys' }));
    expect((await names(page)).slice(0, 3)).toEqual([first, second, third]);
  },
);

phone('on a phone a campaign is found by its stage and its words', async ({ page }) => {
  const { previews } = await ask<{ previews: { title: string }[] }>('/content/campaigns/preview/fi/?limit=1');
  const title = previews[0]?.title ?? '';
  await asAdmin(page, 'campaigns');
  const stages = page.getByRole('list', { name: 'Vaihe' });
  await stages.getByRole('button', { name: /^Rahoituksessa/ }).tap();
  await isAt(page, '/admin/campaigns/?stage=2');
  const search = page.getByRole('main').getByRole('searchbox');
  await search.fill(title);
  await search.press('Enter');
  await isAt(page, /keyword=.*stage=2/);
  await sees(page.getByRole('rowheader', { name: title }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto('/en/admin/campaigns/?stage=0');
  await sees(page.getByRole('rowheader').first());
  await page.getByRole('button', { name: 'Title' }).tap();
  await isAt(page, /sort=title/);
  await expectAccessible(page);
});
