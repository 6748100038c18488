import { expect, type BrowserContext, type Page } from '@playwright/test';
import { sees } from './checks';

/** The call after which the provider tells a page what came of a confirmation at the bank. */
export const lookAfterChallenge = { method: 'GET', address: /\/v1\/payment_intents\/[^/?]+\?/ };

/** What is asked for happens, and its answer is lost with the connection. */
export async function loseAnswer(
  context: BrowserContext,
  { method, address }: { method: string; address: RegExp },
) {
  await context.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await route.fetch();
    await context.setOffline(true);
    return route.abort('internetdisconnected');
  });
}

/** The page says that it does not know: nothing of a refusal stands on it, and nothing pays again. */
export async function seesUnknown(page: Page) {
  await sees(page.getByText(/^(Älä maksa uudelleen|Do not pay again)\.$/));
  expect(await page.getByText(/ei mennyt läpi|toista korttia|Mitään ei veloitettu|Nothing was/).count()).toBe(
    0,
  );
  expect(await page.getByRole('button', { name: /^(Maksa|Vahvista|Pay|Confirm)\b/ }).count()).toBe(0);
}
