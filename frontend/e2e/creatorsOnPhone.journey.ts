import { expectAccessible } from './checks';
import { fillFirstReward, fillIdea, fillWho, goOn, openDraft, openForm } from './creating';
import { runCreatorFlow } from './creatorFlow';
import { journey, phone } from './journey';
import { newAccount } from './signing';

// The first journey has three people, so it takes longer than the default.
jest.setTimeout(600_000);

journey(
  'on a phone a campaign is written, reviewed, opened and paid for, and its backer gets an update',
  phone,
  async (visitor) => {
    await runCreatorFlow(visitor, 'Soittorasia koululle');
  },
);

journey('a monthly campaign can be created with goals for its subscribers', phone, async ({ page }) => {
  await openForm(page, 'Kuukausitalkoot');
  await fillIdea(page, 'Kuoro joka kylään');
  await goOn(page);
  await page.getByLabel('1. tavoite: tukijoita').fill('25');
  await page.getByLabel('1. tavoite: mitä silloin tapahtuu').fill('Harjoitukset alkavat');
  await expectAccessible(page);
  await goOn(page);
  await fillFirstReward(page, 'Kuoron ystävä', '5');
  await goOn(page);
  await fillWho(page);
  await openDraft(page, newAccount('kaisu'), 'Kuoro joka kylään');
  expect(await page.getByLabel('Porras 1: tukijoita').inputValue()).toBe('25');
});
