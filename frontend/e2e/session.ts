import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { eventually } from './checks';
import { freshCode } from './codes';
import { allMailsTo, type Mail } from './mailbox';
import { platform } from './platform';
import { newAccount, type Account, type NewAccount } from './signing';

// Signing in and registering by calls, for journeys that are about something else.

interface Session {
  token: { string: string };
  user: { user_id: number; scope: string[] };
}

async function send<Answer>(from: APIRequestContext, path: string, data?: object, token?: string) {
  const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
  const answer = await from.post(`${platform().web}/content/users/${path}`, { data, headers });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (answer.status() === 204 ? undefined : await answer.json()) as Answer;
}

const register = (from: APIRequestContext, { email, password, first, last }: NewAccount) =>
  send<Session>(from, '', { email, password, first_name: first, last_name: last, language: 'fi' });

/** Gives a new account all rights of staff, which its session has as if it had begun with a second step. */
async function promote({ user }: Session) {
  const answer = await fetch(`${platform().control}/people/${user.user_id}/staff`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${user.user_id} is not staff: ${await answer.text()}`);
}

/** Keeps a session as the app does, for the pages that the browser context loads from now on. */
async function keep(page: Page, { token, user }: Session) {
  const value = JSON.stringify({ token: { string: token.string, timestamp: Date.now() }, user });
  const { cookies } = await page.context().storageState();
  await page.context().setStorageState({
    cookies,
    origins: [{ origin: platform().web, localStorage: [{ name: 'tk-session', value }] }],
  });
}

/** Goes on as somebody who has signed in; those with a code app show a code of it. */
export async function as(page: Page, { email, password, secret }: Account) {
  const from = page.context().request;
  let answer = await send<Session | { second_step: { challenge: string } }>(from, 'tokens/', {
    email,
    password,
  });
  if ('second_step' in answer) {
    const { challenge } = answer.second_step;
    const code = await freshCode(secret ?? '');
    answer = await send<Session>(from, 'tokens/second_step/', { challenge, code });
  }
  await keep(page, answer);
}

/** Goes on as somebody who has just registered. */
export async function asNew(page: Page, account: NewAccount) {
  await keep(page, await register(page.context().request, account));
}

/** Confirms the address of who is signed in on a page, by the link that was mailed to it. */
export async function confirmAddress(page: Page, { email }: Pick<NewAccount, 'email'>) {
  let mail: Mail | undefined;
  await eventually(
    async () => (mail = (await allMailsTo(email)).find(({ text }) => text.includes('/verify-email/'))),
    (found) => expect(found).toBeDefined(),
  );
  const link = /\/verify-email\/#(\S+)/.exec(mail?.text ?? '')?.[1];
  const kept = await page.evaluate(() => window.localStorage.getItem('tk-session'));
  const { token } = JSON.parse(kept ?? '') as Session;
  const given = new URLSearchParams(link).get('token');
  await send(page.context().request, 'verifications/', { token: given }, token.string);
}

/** A call by who is signed in on a page; one that sends nothing reads. */
export async function callAs<Answer>(page: Page, path: string, data?: object): Promise<Answer> {
  const kept = await page.evaluate(() => window.localStorage.getItem('tk-session'));
  const { token } = JSON.parse(kept ?? '') as Session;
  const headers = { Authorization: `Bearer ${token.string}` };
  const method = data ? 'POST' : 'GET';
  const answer = await page.context().request.fetch(platform().web + path, { method, data, headers });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Goes on as an admin of this journey's own. Gives what they show again. */
export async function asStaff(page: Page): Promise<NewAccount> {
  const account = newAccount('hallinto');
  const session = await register(page.context().request, account);
  await promote(session);
  await keep(page, { ...session, user: { ...session.user, scope: ['view', 'edit', 'admin'] } });
  return account;
}

/** Goes on as an admin of this journey's own who acts at the operators' desk by a name. Gives what they show again. */
export async function asOperator(page: Page, name: string): Promise<NewAccount> {
  const account = newAccount('hallinto');
  const session = await register(page.context().request, account);
  await promote(session);
  const appointed = await fetch(
    `${platform().control}/people/${session.user.user_id}/operator/${encodeURIComponent(name)}`,
    { method: 'POST' },
  );
  if (!appointed.ok) throw new Error(await appointed.text());
  await keep(page, { ...session, user: { ...session.user, scope: ['view', 'edit', 'admin'] } });
  return account;
}

/** An admin of this journey's own who has yet to sign in, with a code app. */
export async function newStaff(from: APIRequestContext): Promise<NewAccount & { secret: string }> {
  const account = newAccount('hallinto');
  const session = await register(from, account);
  const token = session.token.string;
  await send(from, 'me/confirmations/', { password: account.password }, token);
  const { secret } = await send<{ secret: string }>(from, 'me/totp/', undefined, token);
  await send(from, 'me/totp/confirmation/', { code: await freshCode(secret) }, token);
  await promote(session);
  return { ...account, secret };
}
