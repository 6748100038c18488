import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, sees } from './checks';
import { openDraft, openForm } from './creating';
import { desktop } from './journey';
import { asStaff } from './session';
import { newAccount } from './signing';

const story = (page: Page) => page.getByRole('textbox', { name: 'Tarina' });

/** What stands in the story, a paragraph each. */
const paragraphs = (page: Page) =>
  story(page)
    .locator(':scope > p')
    .evaluateAll((all) => all.map(({ textContent }) => textContent));

/** Writes at the end of a paragraph, without leaving it. */
async function writeAfter(page: Page, paragraph: string, text: string) {
  await story(page).getByText(paragraph).click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(text);
}

/** Leaves the story, which is saved then. */
async function leave(page: Page) {
  await page.getByRole('textbox', { name: 'Otsikko' }).focus();
}

/**
 * Has two people write, of whom `second` saves after `first` has saved. A page saves by itself once nothing was typed for a
 * while, which on a slow machine may be before the other has written, so what the second saves is kept back until then.
 */
async function write(first: Page, second: Page, act: () => Promise<void>) {
  const saving = /\/campaigns\/\d+\/language\/$/;
  const saved = first.waitForResponse((answer) => saving.test(answer.url()) && answer.ok());
  await second.route(saving, async (route) => {
    await saved;
    await route.continue();
  });
  await act();
  await saved;
  await second.unroute(saving);
}

desktop(
  'two people write in one story: different paragraphs merge by themselves, the same one is asked about in its place',
  async ({ page, another, errors }) => {
    // Who saves second is told that the story has changed.
    errors.expect(/\/campaigns\/\d+\/language\/$/, 412);
    await openForm(page, 'Suoraan sivulle');
    await page.getByLabel('Kampanjan nimi').fill('Kaksi kirjoittajaa');
    await openDraft(page, newAccount('reijo'), 'Kaksi kirjoittajaa');
    await story(page).click();
    for (const [place, text] of ['Lautta kelluu.', 'Kiuas puuttuu.', 'Hormi on haussa.'].entries()) {
      if (place > 0) await page.keyboard.press('Enter');
      await page.keyboard.insertText(text);
    }
    await leave(page);
    await sees(page.getByText(/^Tallennettu/));

    const other = await another();
    await asStaff(other);
    await other.goto(new URL(page.url()).pathname);
    await sees(story(other).getByText('Hormi on haussa.'));

    // Different paragraphs: both stay, and nobody is asked.
    await write(other, page, async () => {
      await writeAfter(page, 'Lautta kelluu.', ' Se on tervattu.');
      await writeAfter(other, 'Hormi on haussa.', ' Se tulee Kemistä.');
      await leave(other);
      await sees(other.getByText(/^Tallennettu/));
    });
    await leave(page);
    const both = ['Lautta kelluu. Se on tervattu.', 'Kiuas puuttuu.', 'Hormi on haussa. Se tulee Kemistä.'];
    await eventually(
      () => paragraphs(page),
      (now) => expect(now).toEqual(both),
    );
    await sees(page.getByText(/ muutti tätä kohtaa\. Yhdistetty\./));
    await disappears(page.getByRole('region', { name: /Te molemmat muutitte/ }));
    await other.reload();
    await eventually(
      () => paragraphs(other),
      (now) => expect(now).toEqual(both),
    );

    // The same paragraph: a question in its place, with neither chosen.
    await write(other, page, async () => {
      await writeAfter(page, 'Kiuas puuttuu.', ' Se on tilattu.');
      await writeAfter(other, 'Kiuas puuttuu.', ' Se maksaa 900 euroa.');
      await leave(other);
      await sees(story(other).getByText('Se maksaa 900 euroa.'));
      await sees(other.getByText(/^Tallennettu/));
    });
    await leave(page);
    const question = page.getByRole('region', { name: /Te molemmat muutitte tätä kappaletta/ });
    await sees(question);
    await sees(page.getByRole('button', { name: '1 kohta odottaa valintaa' }));
    await expect(question.getByRole('radio', { checked: true })).toHaveCount(0);
    await expectAccessible(page);
    await question.getByRole('radio', { name: /^Sinun/ }).check();
    await question.getByRole('button', { name: 'Jätä valittu' }).click();
    await disappears(question);
    await sees(page.getByText(/^Tallennettu/));
    await other.reload();
    await eventually(
      () => paragraphs(other),
      (now) =>
        expect(now).toEqual([both[0], 'Kiuas puuttuu. Se on tilattu.', 'Hormi on haussa. Se tulee Kemistä.']),
    );
  },
);
