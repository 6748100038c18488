import { expect } from '@playwright/test';
import { expectAccessible } from './checks';
import { fillFirstReward, fillIdea, fillWho, goOn, openDraft, openForm } from './creating';
import { runCreatorFlow } from './creatorFlow';
import { phone } from './journey';
import { newAccount } from './signing';

phone(
  'on a phone a campaign is written, reviewed, opened and paid for, and its backer gets an update',
  async ({ page, another }) => {
    await runCreatorFlow(page, another, 'Soittorasia koululle');
  },
);

phone('a monthly campaign can be created with goals for its subscribers', async ({ page }) => {
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
