import type { Page } from '@playwright/test';
import { ask, type DemoCampaign } from './demo';
import { newAddress } from './mailbox';
import { fillContact, fillSum, type Words } from './paying';
import { platform } from './platform';

/** The demo's campaign at provider B, its creator, and test cards there. */
export const slug = 'turn-it-over-the-puhos-tape';
export const creator = { email: 'mahamed.warsame@example.fi', password: 'talkoot-demo' };
export const cardsB = { good: '4970107111111119', secure: '4970105181818183' } as const;

/**
 * Fills in whose pledge it is, and of how much; returns the address. The page has been told by then how that sum can be
 * paid, so what happens afterwards meets a form that knows nothing of it.
 */
export async function fillOrder(page: Page, words: Words, address: string, sum: string) {
  const cents = Math.round(Number(sum.replace(',', '.')) * 100);
  const told = page.waitForResponse((answer) =>
    new RegExp(`/methods\\?.*amount_minor=${cents}\\b`).test(answer.url()),
  );
  await page.goto(`${address}pledge/`);
  await fillSum(page, words, sum);
  const email = newAddress('aino');
  await fillContact(page, words, { email, first: 'Aino', last: 'Virta' });
  await told;
  return email;
}

/** Fills in a card of provider B. */
export async function fillCardB(page: Page, number: string) {
  await page.locator('input[name="method"][value="card"]').check();
  await page.locator('[autocomplete="cc-number"]').fill(number);
  await page.locator('[autocomplete="cc-exp-month"]').fill('11');
  await page.locator('[autocomplete="cc-exp-year"]').fill('2032');
  await page.locator('[autocomplete="cc-csc"]').fill('123');
}

/** Fills in an account to debit; the page has to be in Finnish. */
export async function fillAccount(page: Page) {
  await page.locator('input[name="method"][value="bank"]').check();
  await page.getByLabel(/IBAN/).fill('FI21 1234 5600 0007 85');
  await page.getByLabel('Katuosoite').fill('Opintie 14 B 3');
  await page.getByLabel('Postinumero').fill('72400');
  await page.getByLabel('Postitoimipaikka').fill('Pielavesi');
}

async function control(method: string, path: string) {
  const answer = await fetch(platform().control + path, { method });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

/** An operator switches provider B off or on, by their command. */
export const switchB = (word: 'off' | 'on') => control('POST', `/providers/mangopay/${word}`);

/** A campaign is paid through provider A as well, or no more. */
export const linkToA = ({ id }: DemoCampaign, isLinked: boolean) =>
  control(isLinked ? 'POST' : 'DELETE', `/campaigns/${id}/account-a`);

/** It is three minutes since a pledge's backer has left, and since its provider was switched off. */
export const leave = (pledgeId: string) => control('POST', `/pledges/${pledgeId}/left`);

/** Provider B has verified a person, or has not any more. */
export async function setVerified(user: string, isVerified: boolean) {
  const answer = await fetch(`${platform().mangopay}/_sandbox/users/kyc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ user, level: isVerified ? 'REGULAR' : 'LIGHT' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** By which methods a campaign can be paid. */
export async function methodsOf({ id }: DemoCampaign): Promise<string[]> {
  const { methods } = await ask<{ methods: { method: string }[] }>(`/payments/api/campaigns/${id}/methods`);
  return methods.map(({ method }) => method);
}
