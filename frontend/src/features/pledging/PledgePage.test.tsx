import { act, screen, waitFor, within } from '@testing-library/react';
import type { PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPledge, aReward } from '../../../test/builders';
import { installProvider, type ProviderScript } from '../../../test/cardForm';
import { aUser, renderAt, type RenderOptions } from '../../../test/render';
import { content, payments, server } from '../../../test/server';
import { noPageData } from '../../api/pageData';
import type { NewPledge, Reward } from '../../api/content.generated';
import { selectUser } from '../../api/session';

const thanksReward = aReward({ reward_id: 4, title: 'Löylykiitos', amount: 10 });
const evening = aReward({
  reward_id: 5,
  amount: 45,
  stock: 100,
  stock_reserved: 86,
  asks_for_address: true,
  custom_questions: [{ key: 'custom_question_1', text: 'ask_for_address' }],
  added_costs: [
    { amount: 0, description: 'Nouto kirjastosta' },
    { amount: 6.5, description: 'Avainkortti kirjeenä' },
  ],
});
const gone = aReward({
  reward_id: 6,
  title: 'Kummin vuorokausi',
  amount: 250,
  stock: 10,
  stock_reserved: 10,
});

const refusal = (status: string, http: number, more: object = {}) =>
  HttpResponse.json({ status, message: '', request_id: 'r', ...more }, { status: http });
const cardError = (error: Partial<StripeError>) => ({ error }) as unknown as PaymentIntentResult;

interface Sent {
  pledges: { key: string | null; body: NewPledge }[];
  released: string[];
}

/** The services, with everything going well. What comes in is written down. */
function serve(rewards: Reward[] = [thanksReward, evening, gone]): Sent {
  const sent: Sent = { pledges: [], released: [] };
  const named = (id: string) => aPledge({ pledge_id: id });
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign(), acl: ['view'] }),
    ),
    http.get(content('/campaigns/3/rewards/:language/'), () => HttpResponse.json({ rewards })),
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

// Whole pages with long forms: slow on a busy machine.
jest.setTimeout(30_000);

let provider: ProviderScript;
beforeAll(() => {
  provider = installProvider();
});
beforeEach(() => {
  Object.assign(provider, { isComplete: true, results: [], confirmed: [], amounts: [] });
});
afterEach(() => window.sessionStorage.clear());

const config = { stripe_publishable_key: 'pk_test_1' };

async function open(address: string, options: RenderOptions = {}) {
  const app = await renderAt(address, { page: { ...noPageData(), config }, ...options });
  await screen.findByText('Card fields');
  return app;
}

type App = Awaited<ReturnType<typeof open>>;

/** Into the field at once, as the browser's own filling does it. */
async function put({ pointer }: Pick<App, 'pointer'>, label: string | RegExp, text: string) {
  await pointer.click(screen.getByLabelText(label));
  await pointer.paste(text);
}

async function fillIn(app: App) {
  await put(app, 'Sähköposti', 'leena@example.fi');
  await put(app, 'Etunimi', 'Leena');
  await put(app, 'Sukunimi', 'Hakkarainen');
}

async function fillInAddress(app: App) {
  await put(app, 'Katuosoite', 'Opintie 14 B 3');
  await put(app, 'Postinumero', '72400');
  await put(app, 'Postitoimipaikka', 'Pielavesi');
}

const payButton = (name = /^Maksa/) => screen.getByRole('button', { name });

test('a reward in the address is chosen, with its stock, its first addition and the whole sum', async () => {
  serve();
  const { pointer } = await open('/3/hoyry/pledge/5');
  expect(screen.getByRole('heading', { level: 1, name: 'Lähde mukaan' })).toBeVisible();
  expect(screen.getByText('Jäljellä 14')).toBeVisible();
  expect(screen.getByRole('radio', { name: /Nouto kirjastosta/ })).toBeChecked();
  await pointer.click(screen.getByRole('button', { name: 'Yksi lisää' }));
  await pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
  const summary = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  expect(summary.getByText('2 × Iltavuoro kahdelle')).toBeVisible();
  expect(summary.getByText('0,00 €')).toBeVisible();
  expect(summary.getByText('sis. alv 11,48 €')).toBeVisible();
  expect(payButton(/^Maksa 96,50.€$/)).toBeVisible();
  await waitFor(() => expect(provider.amounts.at(-1)).toBe(9650));
});

test('choosing rewrites the address, and the browser’s back button chooses again', async () => {
  serve();
  const { pointer, router } = await open('/3/hoyry/pledge/');
  expect(screen.getByRole('radio', { name: /Ilman vastiketta/ })).toBeChecked();
  expect(screen.getByLabelText('Summa')).toHaveValue('1');
  expect(screen.getByRole('radio', { name: /Kummin vuorokausi/ })).toBeDisabled();

  await pointer.click(screen.getByRole('radio', { name: /Löylykiitos/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/4'));
  await pointer.click(screen.getByRole('radio', { name: /Iltavuoro/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/5'));
  expect(await screen.findByRole('button', { name: /^Maksa 45,00.€$/ })).toBeVisible();

  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByRole('radio', { name: /Löylykiitos/ })).toBeChecked());
  expect(payButton(/^Maksa 10,00.€$/)).toBeVisible();
});

test('a reward that is gone says so and cannot be paid', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/6');
  expect(screen.getByText('Tämä vastike on loppu.')).toBeVisible();
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(await screen.findAllByText('Tämä vastike on loppu.')).not.toHaveLength(1);
  expect(sent.pledges).toHaveLength(0);
});

test('what is missing is named at its field and above the button, and the first gets the focus', async () => {
  const sent = serve();
  const { pointer } = await open('/3/hoyry/pledge/5');
  await pointer.type(screen.getByLabelText('Postinumero'), '7240');
  await pointer.click(payButton());
  const email = screen.getByLabelText('Sähköposti');
  expect(email).toHaveFocus();
  expect(email).toHaveAccessibleDescription('Tämä tarvitaan.');
  expect(screen.getByLabelText('Postinumero')).toHaveAccessibleDescription(
    'Postinumerossa on viisi numeroa.',
  );
  expect(screen.getByText(/6 kohtaa kaipaa korjausta/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Postinumero' }));
  expect(screen.getByLabelText('Postinumero')).toHaveFocus();
  expect(payButton()).toBeEnabled();
  expect(sent.pledges).toHaveLength(0);
});

test('the rules speak the page’s language', async () => {
  serve();
  const { pointer } = await open('/en/3/hoyry/pledge/');
  await pointer.clear(screen.getByLabelText('Amount'));
  await pointer.type(screen.getByLabelText('Amount'), '0.20');
  await pointer.click(screen.getByRole('button', { name: /^Pay/ }));
  expect(screen.getByLabelText('Amount')).toHaveAccessibleDescription('At least €0.50.');
  expect(screen.getByText(/4 things need correcting/)).toBeVisible();
});

test('one press pays and leads to the thanks', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await fillInAddress(app);
  await app.pointer.dblClick(payButton());
  expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  expect(app.router.state.location.pathname).toBe('/3/hoyry/thanks/');
  expect(sent.pledges).toHaveLength(1);
  expect(sent.pledges[0]?.body).toMatchObject({
    amount: 45,
    reward_id: 5,
    pledge_meta: { address_postcode: '72400', added_cost: 0, quantity: 1, language: 'fi' },
  });
  expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBeNull();
});

test('after a refused card another one pays the same pledge', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.results = [
    cardError({ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }),
    cardError({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' }),
  ];
  await app.pointer.click(payButton());
  expect(await screen.findByText('Varauksesi on yhä voimassa. Kokeile toista korttia.')).toBeVisible();
  expect(screen.getAllByText(/ei ole tarpeeksi katetta/)[0]).toBeVisible();
  expect(payButton()).toBeEnabled();
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');

  await app.pointer.click(payButton());
  expect((await screen.findAllByText(/Pankin vahvistus jäi kesken/))[0]).toBeVisible();
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(1);
  expect(new Set(provider.confirmed)).toEqual(new Set(['secret-of-01JD0000000000000000000000']));
  expect(provider.confirmed).toHaveLength(3);
});

test('after a change the old pledge is given up and a new one made', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.results = [cardError({ type: 'card_error', code: 'expired_card' })];
  await app.pointer.click(payButton());
  await screen.findAllByText(/Kortti on vanhentunut/);
  await app.pointer.type(screen.getByLabelText(/Vapaa lisä/), '5');
  await app.pointer.click(payButton(/Maksa 15,00/));
  await screen.findByText('TK-2026-004183');
  expect(sent.released).toEqual(['01JD0000000000000000000000']);
  expect(sent.pledges.map(({ body }) => body.amount)).toEqual([10, 15]);
  expect(sent.pledges[0]?.key).not.toBe(sent.pledges[1]?.key);
});

test('a refusal does not stand beside the thanks that follow it', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await app.pointer.click(payButton());
  expect(await screen.findByText('Maksu ei mennyt läpi')).toBeVisible();
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  await waitFor(() => expect(screen.queryByText('Maksu ei mennyt läpi')).toBeNull());
});

test('an incomplete card only gives the button back', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.isComplete = false;
  await app.pointer.click(payButton());
  await waitFor(() => expect(payButton()).toBeEnabled());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sent.pledges).toHaveLength(0);
});

test('the server’s word about a field lands on the field', async () => {
  serve();
  const fields = [{ path: 'pledge_meta.email', rule: 'email', message: 'Tarkista sähköpostiosoite.' }];
  server.use(http.post(content('/campaigns/3/pledges/'), () => refusal('invalid_fields', 422, { fields })));
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  await app.pointer.click(payButton());
  const email = screen.getByLabelText('Sähköposti');
  await waitFor(() => expect(email).toHaveAccessibleDescription('Tarkista sähköpostiosoite.'));
  expect(email).toHaveFocus();
});

test('a reward that went meanwhile says so, and the rewards are asked again', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await fillInAddress(app);
  server.use(
    http.post(content('/campaigns/3/pledges/'), () => refusal('quantity_above_stock', 409)),
    http.get(content('/campaigns/3/rewards/:language/'), () =>
      HttpResponse.json({ rewards: [{ ...evening, stock_reserved: 99 }] }),
    ),
  );
  await app.pointer.click(payButton());
  expect((await screen.findAllByText(/jäljellä vähemmän kuin valitsit/))[0]).toBeVisible();
  expect(await screen.findByText('Jäljellä 1')).toBeVisible();
});

test('what was typed survives a reload, but no password', async () => {
  serve();
  const first = await open('/3/hoyry/pledge/4');
  await fillIn(first);
  await first.pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
  await first.pointer.type(screen.getByLabelText('Salasana'), 'salasana1');
  first.unmount();
  await open('/3/hoyry/pledge/4');
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  expect(screen.getByRole('radio', { name: 'Minulla on jo tili' })).toBeChecked();
  expect(screen.getByLabelText('Salasana')).toHaveValue('');
  const kept = Object.keys(window.sessionStorage).map((name) => window.sessionStorage.getItem(name));
  expect(kept.join()).toContain('leena@example.fi');
  expect(kept.join()).not.toContain('salasana1');
});

test('an account of old signs in on the way; a wrong password stops at its field', async () => {
  const sent = serve();
  let isRight = false;
  server.use(
    http.post(content('/users/tokens/'), () =>
      isRight
        ? HttpResponse.json({ token: { string: 't', expires_at: '' }, user: aUser() })
        : refusal('sign_in_failed', 401),
    ),
  );
  const { pointer, store } = await open('/3/hoyry/pledge/4');
  await pointer.type(screen.getByLabelText('Sähköposti'), 'leena@example.fi');
  await pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
  await pointer.type(screen.getByLabelText('Salasana'), 'väärä sana');
  await pointer.click(payButton());
  await waitFor(() => expect(screen.getByLabelText('Salasana')).toHaveAccessibleDescription(/ei täsmää/));
  expect(sent.pledges).toHaveLength(0);
  isRight = true;
  provider.results = [cardError({ type: 'card_error', code: 'incorrect_cvc' })];
  await pointer.click(payButton());
  expect((await screen.findAllByText(/Turvakoodi \(CVC\) ei täsmää/))[0]).toBeVisible();
  expect(selectUser(store.getState())?.first_name).toBe('Leena');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({ first_name: 'Leena', last_name: 'Hakkarainen' });
  // The form is still there, with the name that came, and without the question for an account.
  expect(screen.getByLabelText('Etunimi')).toHaveValue('Leena');
  expect(screen.queryByRole('radio', { name: 'Minulla on jo tili' })).toBeNull();
  await pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(1);
});

test('somebody signed in finds the form filled in', async () => {
  serve();
  await open('/3/hoyry/pledge/4', { user: aUser() });
  expect(screen.getByLabelText('Sukunimi')).toHaveValue('Hakkarainen');
  expect(screen.queryByText('Tili')).toBeNull();
});

test('the hosted page is asked for until it is there', async () => {
  serve();
  let tries = 0;
  server.use(
    http.post(payments('/api/pledges/:id/payment-page/stripe'), () => {
      tries += 1;
      return tries < 3
        ? HttpResponse.json({ status: 'pending', retry_after: 0.01 }, { status: 202 })
        : HttpResponse.json({ payment_page: { url: '#pay' }, paymentPageUrl: '#pay' });
    }),
  );
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  await app.pointer.click(screen.getByRole('radio', { name: /Maksusivu/ }));
  await app.pointer.click(payButton());
  expect(await screen.findByRole('link', { name: /Jatka tästä/ })).toHaveAttribute('href', '#pay');
  expect(window.location.hash).toBe('#pay');
  expect(tries).toBe(3);
  window.location.hash = '';
});

test('a hosted page that cannot be opened says so', async () => {
  serve();
  server.use(
    http.post(payments('/api/pledges/:id/payment-page/stripe'), () => refusal('payment_page_failed', 502)),
  );
  const app = await open('/en/3/hoyry/pledge/4', { user: aUser() });
  await app.pointer.click(screen.getByRole('radio', { name: /Payment page/ }));
  await app.pointer.click(payButton(/^Pay/));
  expect((await screen.findAllByText(/payment page could not be opened/))[0]).toBeVisible();
});

test('without a key the card row says why, and the pledge is not made', async () => {
  const sent = serve();
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
  const { pointer } = await renderAt('/3/hoyry/pledge/4', { user: aUser() });
  expect(await screen.findByText(/Korttilomake ei auennut/)).toBeVisible();
  await pointer.click(payButton());
  expect((await screen.findAllByText(/Maksaminen ei ole juuri nyt käytössä/))[0]).toBeVisible();
  expect(sent.pledges).toHaveLength(0);
  jest.restoreAllMocks();
});

test.each([
  [4, 'Kampanja ei juuri nyt ota vastaan tukea'],
  [6, 'Kuukausituki ei ole vielä auki'],
])('in stage %i nothing is asked for', async (stage, title) => {
  serve();
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign({ stage }), acl: ['view'] }),
    ),
  );
  await renderAt('/3/hoyry/pledge/');
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
});
