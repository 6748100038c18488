import { expect } from '@playwright/test';
import { eventually } from './checks';
import { newAddress } from './mailbox';
import { platform } from './platform';

interface Preview {
  campaign_id: number;
  slug: string;
  title: string;
}

/** A campaign of the demo content, as journeys address it. */
export interface DemoCampaign {
  id: number;
  slug: string;
  title: string;
  /** The path of its page in Finnish; other languages have their prefix before it. */
  address: string;
}

/** Requests the public API without a session. */
export async function ask<Answer>(address: string): Promise<Answer> {
  const response = await fetch(platform().web + address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as Answer;
}

/** A campaign of the demo content. Journeys that check money or stock each use their own. */
export async function demoCampaign(slug: string, language = 'fi'): Promise<DemoCampaign> {
  const list = `/content/v2/campaigns/preview/${language}/?limit=300&stages=2,6`;
  const { previews } = await ask<{ previews: Preview[] }>(list);
  const found = previews.find((one) => one.slug === slug);
  if (!found) throw new Error(`The demo has no campaign ${slug}.`);
  const { campaign_id: id, title } = found;
  return { id, slug, title, address: `/${id}/${slug}/` };
}

/** Begins monthly support of a campaign whose first month has yet to be paid, and returns its id. */
export async function newSubscription({ id }: DemoCampaign): Promise<string> {
  const send = async <Answer>(address: string, body?: object, orderToken = ''): Promise<Answer> => {
    const response = await fetch(platform().web + address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Order-Token': orderToken },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return (await response.json()) as Answer;
  };
  const person = { email: newAddress('kuukausi'), first_name: 'Aino', last_name: 'Virta' };
  const made = await send<{ subscription: { subscription_id: string }; order_token: string }>(
    `/content/campaigns/${id}/subscriptions/`,
    { amount: 5, ...person },
  );
  const { subscription_id: subscription } = made.subscription;
  await send(`/payments/api/subscriptions/${subscription}/setup`, undefined, made.order_token);
  return subscription;
}

/** Waits until the worker has made the lists that suggestions are chosen from, some seconds after the demo content. */
export async function suggestionsAreReady() {
  await eventually(
    () => ask<{ suggestions: unknown[] }>('/content/recommendations/fi/'),
    ({ suggestions }) => expect(suggestions).toHaveLength(3),
    40_000,
  );
}

/** The documented accounts of the demo. */
export const backer = { email: 'backer@talkoot.example', password: 'talkoot-demo', name: 'Leena' };
export const editor = {
  email: 'admin@talkoot.example',
  password: 'talkoot-demo',
  secret: 'TALKOOTDEMOADMINTALKOOTDEMOADMIN',
};
