import type { APIRequestContext } from '@playwright/test';
import { expect } from '@playwright/test';
import { eventually } from './checks';
import { ask, type DemoCampaign } from './demo';
import { platform } from './platform';
import { newAccount } from './signing';

/** Test cards of provider B. */
export const cardsB = { good: '4970107111111119', secure: '4970105181818183' } as const;

interface Account {
  userId: string;
  walletId: string;
  redirectUrl?: string;
}

/** Has a campaign paid through provider B: its new creator is verified there, by the calls and pages that creators use. */
export async function payThroughB(from: APIRequestContext, campaign: DemoCampaign) {
  const { web, control } = platform();
  const { email, password, first, last } = newAccount('tekija');
  const registered = await from.post(`${web}/content/users/`, {
    data: { email, password, first_name: first, last_name: last },
  });
  if (!registered.ok()) throw new Error(await registered.text());
  const made = (await registered.json()) as { token: { string: string } };
  const headers = { Authorization: `Bearer ${made.token.string}` };
  const call = async <Answer>(address: string, data: object): Promise<Answer> => {
    const answer = await from.post(web + address, { headers, data });
    if (!answer.ok()) throw new Error(`${address}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const own = await from.get(`${web}/content/users/me/profile`, { headers });
  const { profile } = (await own.json()) as { profile: { user_id: number } };
  const given = await fetch(`${control}/campaigns/${campaign.id}/creator/${profile.user_id}`, {
    method: 'POST',
  });
  if (!given.ok) throw new Error(await given.text());

  const returnUrl = `${web}/profile/me/payouts/`;
  const account = await call<Account>('/payments/api/users/mangopay/create-creator-account', {
    type: 'natural',
    userId: profile.user_id,
    owner: {
      first_name: 'Maija',
      last_name: 'Meri',
      birthdate: '1980-05-01',
      nationality: 'FI',
      residence_country: 'FI',
      terms_accepted: true,
      return_url: returnUrl,
    },
  });
  await passPage(from, account.redirectUrl);
  const next = await call<Account>('/payments/api/users/mangopay/verification', { returnUrl });
  await passPage(from, next.redirectUrl);
  await eventually(
    async () => {
      const answer = await from.get(`${web}/payments/api/users/me/payees`, { headers });
      return ((await answer.json()) as { payees: { state: string }[] }).payees[0]?.state;
    },
    (state) => expect(state).toBe('ready'),
  );
  // The content service hears of the account a moment later.
  await eventually(
    async () => {
      const answer = await from.post(`${web}/content/campaigns/${campaign.id}/set_payment_account/`, {
        headers,
        data: { mangopay_user_id: account.userId, mangopay_wallet_id: account.walletId },
      });
      return answer.status();
    },
    (status) => expect(status).toBe(200),
  );
  await eventually(
    () => ask<{ methods: { provider: string }[] }>(`/payments/api/campaigns/${campaign.id}/methods`),
    ({ methods }) =>
      expect(methods.map(({ provider }) => provider)).toEqual(['mangopay', 'mangopay', 'mangopay']),
  );
}

/** Passes what a page of provider B's asks of a creator, with all consents. */
async function passPage(from: APIRequestContext, address = '') {
  const asked = new URL(address).searchParams;
  const answer = await from.post(address, {
    maxRedirects: 0,
    form: {
      token: asked.get('token') ?? '',
      returnUrl: asked.get('returnUrl') ?? '',
      outcome: 'pass',
      ViewAccountInformation: 'on',
      Transfer: 'on',
      RecipientRegistration: 'on',
      ContactInformationUpdate: 'on',
    },
  });
  if (answer.status() !== 302) throw new Error(`${address}: ${answer.status()}`);
}
