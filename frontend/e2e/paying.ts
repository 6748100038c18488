import type { FrameLocator, Page } from 'playwright-core';
import { sees } from './checks';
import type { PageErrors } from './pageErrors';
import { platform } from './platform';

/** Published test cards of the provider. */
export const cards = {
  good: '4242424242424242',
  secure: '4000002760003184',
  declined: '4000000000000002',
  withoutFunds: '4000000000009995',
} as const;

interface Words {
  /** Giving without a reward, a sum that is not offered, and its field. */
  withoutReward: RegExp;
  otherSum: string;
  sum: string;
  email: string;
  firstName: string;
  lastName: string;
  pay: RegExp;
  thanks: RegExp;
}

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

export interface Person {
  email: string;
  first: string;
  last: string;
}

export async function fillContact(page: Page, words: Words, { email, first, last }: Person) {
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.firstName).fill(first);
  await page.getByLabel(words.lastName).fill(last);
}

/** Gives a sum of one's own; nothing is chosen before. */
export async function fillSum(page: Page, words: Words, sum: string) {
  await page.getByRole('radio', { name: words.withoutReward }).check();
  await page.getByRole('radio', { name: words.otherSum }).check();
  await page.getByRole('textbox', { name: words.sum }).fill(sum);
}

/** The provider's frame in the page; what it is called there is its own affair. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/elements/frame"]');
}

export async function fillCard(page: Page, number: string) {
  const frame = cardFrame(page);
  await frame.locator('#number').fill(number);
  await frame.locator('#expiry').fill('1230');
  await frame.locator('#cvc').fill('123');
}

export async function pressPay(page: Page, words: Words) {
  await page.getByRole('button', { name: words.pay }).click();
}

/** The bank's question in its dialog over the page. */
export function challenge(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/3ds/"]');
}

export async function seesThanks(page: Page, words: Words) {
  await sees(page.getByRole('heading', { level: 1, name: words.thanks }));
}

/** A refusal of the provider is an answer of 402 to its own frame. */
export function expectRefusal(errors: PageErrors) {
  errors.expect(/\/v1\/payment_intents\/[^/]+\/confirm$/, 402);
}

interface Intent {
  status: string;
  amount: number;
  amount_received: number;
  metadata: { campaign_id?: string };
}

/** Every payment that the provider holds for a campaign: the truth about what was charged, and how often. */
export async function paymentsTo(campaignId: number): Promise<Intent[]> {
  const { sandbox, provider_key: key } = platform();
  const response = await fetch(`${sandbox}/v1/payment_intents?limit=100`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: Intent[] };
  return data.filter(({ metadata }) => metadata.campaign_id === String(campaignId));
}

/** Cents that the provider took for a campaign. */
export async function chargedTo(campaignId: number): Promise<number> {
  return (await paymentsTo(campaignId)).reduce((sum, { amount_received }) => sum + amount_received, 0);
}
