import { disappears, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { desktop, phone } from './journey';

desktop(
  'what is typed with a mistake is suggested, found in groups, narrowed and opened by keyboard; back keeps it',
  async ({ page }) => {
    await page.goto('/');
    const field = page.getByRole('banner').getByRole('searchbox');
    await field.fill('saun');
    await sees(page.getByRole('listbox', { name: 'Ehdotukset' }));
    await expectAccessible(page);
    const combobox = page.getByRole('banner').getByRole('combobox');
    await combobox.press('ArrowUp');
    await sees(page.getByRole('option', { name: /^Kaikki \d+ tulosta$/, selected: true }));
    await combobox.press('Enter');
    await isAt(page, '/search/?q=saun');

    await page.getByRole('main').getByRole('searchbox').fill('lyhtpolku');
    await page.keyboard.press('Enter'); // the field is a combobox once suggestions have come, which may be by now
    await isAt(page, '/search/?q=lyhtpolku');
    await sees(page.getByText('Oikea sana lienee lyhtypolku.'));
    await sees(page.getByRole('heading', { level: 2, name: /^Auki/ }));
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Tulossa/ }).click();
    await isAt(page, '/search/?q=lyhtpolku&group=coming');
    await page.getByRole('link', { name: 'Lyhtypolku rantaan' }).press('Enter');
    await isAt(page, /^\/\d+\/lyhtypolku-rantaan\/$/);
    await page.goBack();
    await isAt(page, '/search/?q=lyhtpolku&group=coming');

    await page.getByRole('link', { name: 'Hae täsmälleen lyhtpolku' }).click();
    await sees(page.getByText('Tätä ei ole vielä yhtään'));
    await expectAccessible(page);
  },
);

phone(
  'the search of a phone lies over the page, keeps what was typed, and remembers the words until it is told to forget',
  async ({ page }) => {
    await page.goto('/en/');
    await page.getByRole('banner').getByRole('link', { name: 'Search Talkoot' }).click();
    await isAt(page, '/en/search/');
    await page.getByRole('searchbox').fill('choi');
    await sees(page.getByRole('option', { name: /A choir for people who cannot sing/ }));
    await disappears(page.getByRole('banner'));
    await page.keyboard.press('Escape'); // the suggestions
    await page.keyboard.press('Escape');
    await isAt(page, '/en/');
    await page.getByRole('banner').getByRole('link', { name: 'Search Talkoot' }).click();
    await sees(page.getByRole('option', { name: /A choir for people who cannot sing/ }));
    await page.getByRole('button', { name: 'Close the search' }).click();
    await isAt(page, '/en/');
    await page.getByRole('banner').getByRole('link', { name: 'Search Talkoot' }).click();
    await page.getByRole('combobox').fill('choir');
    await sees(page.getByRole('option', { name: /A choir for people who cannot sing/ }));
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await isAt(page, '/en/search/?q=choir');
    await sees(page.getByRole('heading', { level: 2, name: /^Monthly/ }));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.goto('/en/search/');
    await sees(page.getByRole('link', { name: 'choir' }));
    await page.getByRole('button', { name: 'Forget' }).click();
    await expectAccessible(page);
  },
);
