import type { Page } from '@playwright/test';
import { isAt } from './checks';
import { linkIn, theMailTo } from './mailbox';
import { platform } from './platform';

/** Opens the page of the subscription that was just paid, from its success page, and returns its id. */
export async function openSupport(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name }).click();
  await isAt(page, /\/subscriptions\/[0-9A-Za-z]{26}\/$/);
  const id = /subscriptions\/([^/]+)\//.exec(page.url())?.[1];
  if (!id) throw new Error(`${page.url()} names no subscription.`);
  return id;
}

/** Has the day of a subscription's next charge come, so that the payment service's worker charges it at once. */
export async function passToNextMonth(subscription: string) {
  const address = `${platform().control}/subscriptions/${subscription}/next-month`;
  const answer = await fetch(address, { method: 'POST' });
  if (!answer.ok) throw new Error(`${subscription} has no next month: ${await answer.text()}`);
}

/** Opens the first link of a mail about support, which does what the mail asks for and needs no sign-in. */
export async function openByMail(page: Page, to: string, subject: string) {
  await page.goto(linkIn(await theMailTo(to, subject), /\/support-link\//));
}
