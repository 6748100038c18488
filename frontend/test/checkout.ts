import { screen, waitFor } from '@testing-library/react';
import type { PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { http, HttpResponse } from 'msw';
import type { Reward } from '../src/api/content';
import type { NewPledge } from '../src/api/pledging';
import { noPageData } from '../src/api/pageData';
import { aCampaign, aPayment, aPledge, aReward } from './builders';
import { renderAt, type RenderOptions } from './render';
import { content, payments, server } from './server';

/** A reward without options. */
export const plainReward = aReward({ reward_id: 4, title: 'Löylykiitos', amount: 10 });
/** A reward with limited stock, a delivery address and added costs. */
export const fullReward = aReward({
  reward_id: 5,
  amount: 45,
  stock: 100,
  stock_reserved: 86,
  quantity_max: 10,
  asks_for_address: true,
  custom_questions: [{ key: 'custom_question_1', text: 'ask_for_address' }],
  added_costs: [
    { amount: 0, description: 'Nouto kirjastosta', without_address: true },
    { amount: 6.5, description: 'Avainkortti kirjeenä' },
  ],
});
/** A reward whose stock is all reserved. */
export const soldOutReward = aReward({
  reward_id: 6,
  title: 'Kummin vuorokausi',
  amount: 250,
  stock: 10,
  stock_reserved: 10,
  quantity_max: 5,
});

/** The provider's result of a refused confirmation. */
export const cardError = (error: Partial<StripeError>) => ({ error }) as unknown as PaymentIntentResult;

/** The requests that changed pledges: creations with their idempotency keys, and the ids of released pledges. */
export interface Sent {
  pledges: { key: string | null; body: NewPledge }[];
  released: string[];
}

/** Serves everything that a successful checkout requests. Records created and released pledges. */
export function serve(rewards: Reward[] = [plainReward, fullReward, soldOutReward]): Sent {
  const sent: Sent = { pledges: [], released: [] };
  const named = (id: string) => aPledge({ pledge_id: id });
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign(), acl: ['view'] }),
    ),
    http.get(content('/campaigns/3/rewards/:language/'), () => HttpResponse.json({ rewards })),
    http.get(content('/users/me/address/'), () => HttpResponse.json({})),
    http.post(content('/campaigns/3/pledges/'), async ({ request }) => {
      const body = (await request.json()) as NewPledge;
      const key = request.headers.get('Idempotency-Key');
      const known = [...new Set(sent.pledges.map((pledge) => pledge.key))];
      sent.pledges.push({ key, body });
      const place = known.includes(key) ? known.indexOf(key) : known.length;
      return HttpResponse.json({ pledge: named(`01JD000000000000000000000${place}`) }, { status: 201 });
    }),
    http.delete(content('/pledges/:id/'), ({ params }) => {
      sent.released.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(content('/pledges/:id/'), ({ params }) =>
      HttpResponse.json({
        pledge: {
          ...named(String(params.id)),
          status: 'paid',
          receipt_number: 'TK-2026-004183',
          backer_number: 313,
        },
      }),
    ),
    http.get(payments('/api/pledges/:id/payment'), ({ params }) =>
      HttpResponse.json({
        payment: aPayment({
          pledge_id: String(params.id),
          status: sent.released.includes(String(params.id)) ? 'canceled' : 'created',
        }),
      }),
    ),
    http.post(payments('/api/pledges/:id/setup'), ({ params }) =>
      HttpResponse.json({
        stripe: {
          payment_intent: { id: 'pi', client_secret: `secret-of-${String(params.id)}` },
          publishable_key: 'pk_test_1',
        },
        payment: {},
      }),
    ),
  );
  return sent;
}

/** The configuration in the page's data that the card form needs. */
export const config = { stripe_publishable_key: 'pk_test_1' };

/** Chooses to pay by a card that is typed, once it is known that the campaign takes cards. */
export const chooseCard = async ({ pointer }: { pointer: { click: (element: Element) => Promise<void> } }) =>
  pointer.click(await screen.findByText(/^(Kortti|Card|Kort)$/, { selector: 'label *' }));

/** Opens the pledge page, chooses the card, which nobody is given beforehand, and waits for its form. */
export async function open(address: string, options: RenderOptions = {}) {
  const app = await openUnchosen(address, options);
  await chooseCard(app);
  await cardIsReady();
  return app;
}

/** Opens the page of monthly support, which only a card pays, and waits for its form. */
export async function openMonthly(address: string, options: RenderOptions = {}) {
  const app = await openUnchosen(address, options);
  await cardIsReady();
  return app;
}

const openUnchosen = (address: string, options: RenderOptions) =>
  renderAt(address, { page: { ...noPageData(), config }, ...options });

async function cardIsReady() {
  await screen.findByText('Card fields');
  await waitFor(() => expect(payButton(/^(Maksa|Pay|Betala)/)).toBeEnabled());
}

/** The rendered app. */
export type App = Awaited<ReturnType<typeof open>>;

/** Pastes a value into a field, which is much faster than typing. */
export async function put({ pointer }: Pick<App, 'pointer'>, label: string | RegExp, text: string) {
  await pointer.click(screen.getByLabelText(label));
  await pointer.paste(text);
}

/** Fills in the backer's email and name. */
export async function fillIn(app: App) {
  await put(app, 'Sähköposti', 'leena@example.fi');
  await put(app, 'Etunimi', 'Leena');
  await put(app, 'Sukunimi', 'Hakkarainen');
}

/** Chooses to pick the reward up, which needs no address. Neither is chosen before. */
export const pickUp = async ({ pointer }: Pick<App, 'pointer'>) =>
  pointer.click(await screen.findByRole('radio', { name: /Nouto kirjastosta/ }));

/** Fills in the delivery address. */
export async function fillInAddress(app: App) {
  await put(app, 'Katuosoite', 'Opintie 14 B 3');
  await put(app, 'Postinumero', '72400');
  await put(app, 'Postitoimipaikka', 'Pielavesi');
}

/** The button that pays, by the beginning of its name. */
export const payButton = (name = /^Maksa/) => screen.getByRole('button', { name });
