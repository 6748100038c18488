import type { FrameLocator, Page } from '@playwright/test';
import { sees } from './checks';
import type { PageErrors } from './pageErrors';
import { platform } from './platform';

/** The provider's published test cards. */
export const cards = {
  good: '4242424242424242',
  /** Asks for 3-D Secure every time. */
  secure: '4000002760003184',
  /** Asks for 3-D Secure when it is saved, and not when it is charged without its holder. */
  secureOnce: '4000002500003155',
  /** Can be saved, and is declined whenever it is charged. */
  dies: '4000000000000341',
  declined: '4000000000000002',
  /** Its bank confirms a charge days later. */
  takesLater: '4000005100000000',
  withoutFunds: '4000000000009995',
  /** Is charged, and ten seconds later its bank disputes the charge. */
  disputed: '4000000000000259',
  /** Is charged, and ten seconds later its holder reports it as fraud. */
  reported: '4000000000005423',
} as const;

/** The texts of the pledge form in one language, by which its controls are found. */
export interface Words {
  /** The labels of the radio buttons for no reward and for another amount, and of the amount's field. */
  withoutReward: RegExp;
  otherSum: string;
  sum: string;
  email: string;
  firstName: string;
  lastName: string;
  pay: RegExp;
  thanks: RegExp;
}

/** In Finnish. */
export const fi: Words = {
  withoutReward: /^Ilman vastiketta/,
  otherSum: 'Muu summa',
  sum: 'Summa',
  email: 'Sähköposti',
  firstName: 'Etunimi',
  lastName: 'Sukunimi',
  pay: /^Maksa \d/,
  thanks: /^Kiitos, /,
};

/** In English. */
export const en: Words = {
  withoutReward: /^Without a reward/,
  otherSum: 'Another sum',
  sum: 'Amount',
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  pay: /^Pay €/,
  thanks: /^Thank you, /,
};

/** A backer's contact data. */
export interface Person {
  email: string;
  first: string;
  last: string;
}

/** Fills in the backer's email and name. */
export async function fillContact(page: Page, words: Words, { email, first, last }: Person) {
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.firstName).fill(first);
  await page.getByLabel(words.lastName).fill(last);
}

/** Chooses a pledge without a reward, with a custom amount. */
export async function fillSum(page: Page, words: Words, sum: string) {
  await page.getByRole('radio', { name: words.withoutReward }).check();
  await page.getByRole('radio', { name: words.otherSum }).check();
  await page.getByRole('textbox', { name: words.sum }).fill(sum);
}

/** The provider's iframe. Found by its address, because its name is up to the provider. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/elements/frame"]');
}

/** Chooses to pay by card, which nobody is given beforehand; monthly support has no other way, and no choice. */
export async function chooseCard(page: Page) {
  const row = page.locator('input[name="method"][value="card"]');
  await row.or(page.locator('iframe[src*="/elements/frame"]')).first().waitFor();
  if ((await row.count()) > 0) await row.check();
}

/** Fills in a card number, with a valid expiry date and security code. */
export async function fillCard(page: Page, number: string) {
  await chooseCard(page);
  const frame = cardFrame(page);
  await frame.locator('#number').fill(number);
  await frame.locator('#expiry').fill('1230');
  await frame.locator('#cvc').fill('123');
}

/** Presses Pay, whatever the amount on it. */
export async function pressPay(page: Page, words: Words) {
  await page.getByRole('button', { name: words.pay }).click();
}

/** The 3-D Secure challenge, in an iframe over the page. */
export function challenge(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/3ds/"]');
}

/** Waits for the page that thanks for a paid pledge. */
export async function seesThanks(page: Page, words: Words) {
  await sees(page.getByRole('heading', { level: 1, name: words.thanks }));
}

/** Expects the provider's response of 402 to a refused card. */
export function expectRefusal(errors: PageErrors) {
  errors.expect(/\/v1\/payment_intents\/[^/]+\/confirm$/, 402);
}

interface Intent {
  status: string;
  amount: number;
  amount_received: number;
  latest_charge: string | null;
  metadata: { campaign_id?: string };
}

/**
 * The payments for a campaign at the provider, to check what was really charged and how often. A journey that shares its
 * campaign with others names its own sum, in cents.
 */
export async function paymentsTo(campaignId: number, sum?: number): Promise<Intent[]> {
  const { sandbox, provider_key: key } = platform();
  const response = await fetch(`${sandbox}/v1/payment_intents?limit=100`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: Intent[] };
  return data.filter(
    ({ amount, metadata }) => metadata.campaign_id === String(campaignId) && (!sum || amount === sum),
  );
}

/** What the provider has charged for a campaign, in cents; of payments of one sum, if it is named. */
export async function chargedTo(campaignId: number, sum?: number): Promise<number> {
  return (await paymentsTo(campaignId, sum)).reduce((sum, { amount_received }) => sum + amount_received, 0);
}
