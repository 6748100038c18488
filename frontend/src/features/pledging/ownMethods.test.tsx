import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { config, fillIn, payButton, put, serve } from '../../../test/checkout';
import { aKeptCard, aMethod, aPayIn, allOfB, serveB, serveMethods } from '../../../test/providerB';
import { renderAt, type RenderOptions } from '../../../test/render';
import { content, payments, refusal, server } from '../../../test/server';
import { noPageData } from '../../api/pageData';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(60_000);

const provider = aFakeProvider();
const number = '4970107111111119';

const openAt = (address = '/3/hoyry/pledge/4', options: RenderOptions = {}) =>
  renderAt(address, { page: { ...noPageData(), config }, ...options });
const method = (name: RegExp) => screen.findByRole('radio', { name });
type App = Awaited<ReturnType<typeof openAt>>;

async function typeCard(
  app: App,
  card: { number?: string; month?: string; year?: string; cvc?: string } = {},
) {
  await put(app, 'Kortin numero', card.number ?? number);
  await put(app, 'Kuukausi', card.month ?? '11');
  await put(app, 'Vuosi', card.year ?? '2028');
  await put(app, 'CVC', card.cvc ?? '123');
}

/** Opens the checkout with the card chosen, at provider B. */
async function openCard(options: RenderOptions = {}) {
  const app = await openAt('/3/hoyry/pledge/4', options);
  await app.pointer.click(await method(/^Kortti/));
  return app;
}

/** Everything that could have kept a card: the store, and what the browser stores. */
const everywhere = ({ store }: App) =>
  JSON.stringify([
    store.getState(),
    Object.entries(window.sessionStorage),
    Object.entries(window.localStorage),
  ]);

test('what is offered is what the campaign takes; nothing is chosen, and the button leads to the choice', async () => {
  serve();
  serveMethods({});
  const app = await openAt();
  const rows = await screen.findByRole('group', { name: 'Maksutapa' });
  const radios = within(rows).getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ value }) => value)).toEqual(['card', 'bank', 'page']);
  radios.forEach((radio) => expect(radio).not.toBeChecked());
  const button = screen.getByRole('button', { name: 'Valitse maksutapa' });
  await waitFor(() => expect(button).toBeEnabled());
  await app.pointer.click(button);
  expect(radios[0]).toHaveFocus();
  expect(screen.getByText('valitse ensin maksutapa')).toBeVisible();
});

test('the sum is asked about, and a method that does not take it goes, with one sentence', async () => {
  serve();
  const asked: (string | null)[] = [];
  server.use(
    http.get(payments('/api/campaigns/3/methods'), ({ request }) => {
      const sum = new URL(request.url).searchParams.get('amount_minor');
      asked.push(sum);
      return HttpResponse.json({ methods: Number(sum) > 1000 ? [aMethod('card')] : allOfB, saved_cards: [] });
    }),
  );
  const app = await openAt();
  await app.pointer.click(await method(/^Suoraveloitus/));
  await app.pointer.click(screen.getByRole('button', { name: 'Yksi lisää' }));
  expect(await screen.findByText(/^Suoraveloitus ei ole juuri nyt käytössä/)).toBeVisible();
  expect(asked).toEqual(['1000', '2000']);
  expect(screen.queryByRole('radio', { name: /^Suoraveloitus/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Valitse maksutapa' })).toBeVisible();
  await app.pointer.click(await method(/^Kortti/));
  expect(screen.queryByText(/^Suoraveloitus ei ole/)).toBeNull();
});

test('a campaign that takes nothing now says so, without a pay button', async () => {
  serve();
  serveMethods({ methods: [], reason: 'provider_off' });
  const app = await openAt();
  expect(await screen.findByText('Tähän kampanjaan ei voi juuri nyt maksaa.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^(Maksa|Valitse maksutapa)/ })).toBeNull();
  const asked: unknown[] = [];
  server.use(
    http.post(content('/campaigns/3/payment_reminders/'), async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ is_payable: false }, { status: 202 });
    }),
  );
  const [contact, box] = screen.getAllByLabelText('Sähköposti');
  await app.pointer.click(screen.getByRole('button', { name: 'Kerro, kun voi maksaa' }));
  expect(box).toHaveAccessibleDescription('Tarkista sähköpostiosoite.');
  expect(asked).toEqual([]);
  await app.pointer.click(contact!);
  await app.pointer.paste('leena@posti.fi');
  expect(box).toHaveValue('leena@posti.fi');
  await app.pointer.click(box!);
  await app.pointer.keyboard('{Enter}');
  expect(await screen.findByText(/^Kerromme yhdellä viestillä/)).toBeVisible();
  expect(asked).toEqual([{ email: 'leena@posti.fi', language: 'fi' }]);
  serveMethods({});
  await app.pointer.click(screen.getByRole('button', { name: 'Kokeile uudelleen' }));
  expect(await method(/^Kortti/)).toBeVisible();
});

test('a card that another provider takes by now opens its form, and one sentence says why', async () => {
  serve();
  serveMethods({});
  await openCard();
  expect(screen.getByLabelText('Kortin numero')).toBeVisible();
  serveMethods({ methods: [aMethod('card', { provider: 'stripe' })] });
  fireEvent(document, new Event('visibilitychange'));
  expect(await screen.findByText(/^Maksupalvelu vaihtui kesken/)).toBeVisible();
  expect(await screen.findByText('Card fields')).toBeVisible();
  expect(screen.queryByLabelText('Kortin numero')).toBeNull();
});

test('methods that could not be loaded are not guessed: it is said quietly, and asked again', async () => {
  serve();
  server.use(http.get(payments('/api/campaigns/3/methods'), () => refusal('unavailable', 503)));
  const app = await openAt();
  expect(await screen.findByText(/^Maksutapoja ei saatu/)).toBeVisible();
  expect(screen.queryByRole('radio', { name: /^(Kortti|Maksusivu)/ })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  serveMethods({});
  await app.pointer.click(screen.getByRole('button', { name: 'Yritä uudelleen' }));
  expect(await method(/^Kortti/)).toBeVisible();
});

test('provider A’s campaign opens its form, provider B’s our four fields, and neither the other’s', async () => {
  serve();
  const a = await openCard();
  expect(await screen.findByText('Card fields')).toBeVisible();
  expect(screen.queryByLabelText('Kortin numero')).toBeNull();
  a.unmount();
  serveMethods({});
  window.sessionStorage.clear();
  provider.mounted = 0;
  await openCard();
  const fields = ['Kortin numero', 'Kuukausi', 'Vuosi', 'CVC'].map((label) => screen.getByLabelText(label));
  expect(fields.map((field) => field.getAttribute('autocomplete'))).toEqual([
    'cc-number',
    'cc-exp-month',
    'cc-exp-year',
    'cc-csc',
  ]);
  fields.forEach((field) => expect(field).toHaveAttribute('inputmode', 'numeric'));
  expect(provider.mounted).toBe(0);
  // A guest has nothing to keep a card with.
  expect(screen.queryByLabelText(/^Muista kortti/)).toBeNull();
});

test('a card goes straight to the provider, and is in no request to us, in no storage and not in the store', async () => {
  serve();
  serveMethods({});
  const sent = serveB();
  const app = await openCard({ user: aUser() });
  await app.pointer.click(screen.getByLabelText(/^Muista kortti/));
  await typeCard(app);
  expect(screen.getByLabelText('Kortin numero')).toHaveValue('4970 1071 1111 1119');
  const traces: string[] = [everywhere(app)];
  app.store.subscribe(() => traces.push(everywhere(app)));
  await app.pointer.click(payButton());
  expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  expect(sent.cards).toEqual([
    {
      data: 'prepared',
      accessKeyRef: 'key-1',
      cardNumber: number,
      cardExpirationDate: '1128',
      cardCvx: '123',
    },
  ]);
  expect(sent.of('finish-card-registration')).toEqual([
    expect.objectContaining({ registrationId: 'cardreg_1', registrationData: 'data=registered', keep: true }),
  ]);
  expect(sent.of('payin')[0]).toMatchObject({
    cardId: 'card_1',
    amount: 1000,
    authorId: 'user_payer',
    creditedWalletId: 'wlt_campaign',
    browserInfo: { JavascriptEnabled: true, UserAgent: window.navigator.userAgent },
    secureModeReturnURL: expect.stringMatching(
      /^http:\/\/localhost:8080\/payment-return\/\?pledge=01JD\w{22}$/,
    ) as string,
  });
  expect(sent.calls.find(({ name }) => name === 'payin')?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(sent.calls) + traces.join('')).not.toMatch(/4970 ?1071|11111119/);
});

test('a guest’s calls have the token of their pledge', async () => {
  serve();
  serveMethods({});
  const sent = serveB();
  const app = await openCard();
  await fillIn(app);
  await typeCard(app);
  window.sessionStorage.setItem('tk-pledge-order-01JD0000000000000000000000', 'its-token');
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.calls.map(({ orderToken }) => orderToken)).toEqual(['its-token', 'its-token', 'its-token']);
});

test('each field says what is wrong with it, the first one gets the focus, and nothing is sent', async () => {
  const { pledges } = serve();
  serveMethods({});
  const app = await openCard({ user: aUser() });
  await waitFor(() => expect(payButton()).toBeEnabled());
  await app.pointer.click(payButton());
  expect(screen.getByLabelText('Kortin numero')).toHaveFocus();
  await typeCard(app, { number: '4970107111111118', month: '10', year: '2026', cvc: '12' });
  await app.pointer.click(payButton());
  const described = (label: string) => expect(screen.getByLabelText(label));
  described('Kortin numero').toHaveAccessibleDescription(/kirjoitusvirhe/);
  described('Kuukausi').toHaveAccessibleDescription(/voimassaolo/);
  described('CVC').toHaveAccessibleDescription(/kolme numeroa/);
  expect(pledges).toHaveLength(0);
});

test('a declined card is said and, by its code, cleared: the fields are empty, and the next card is registered', async () => {
  serve();
  serveMethods({});
  const payIns = [aPayIn({ Status: 'FAILED', ResultCode: '101101' })];
  const sent = serveB({ payin: () => ({ payin: payIns.shift() ?? aPayIn(), payment: {} }) });
  const app = await openCard({ user: aUser() });
  await typeCard(app);
  await app.pointer.click(payButton());
  expect((await screen.findAllByText(/Mitään ei veloitettu/))[0]).toBeVisible();
  for (const label of ['Kortin numero', 'Kuukausi', 'Vuosi', 'CVC'])
    expect(screen.getByLabelText(label)).toHaveValue('');
  await typeCard(app, { number: '5555555555554444' });
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.cards.map(({ cardNumber }) => cardNumber)).toEqual([number, '5555555555554444']);
});

test('a refusal that clears no card keeps it registered, without its number, until another one is asked for', async () => {
  serve();
  serveMethods({});
  serveB({ payin: { payin: aPayIn({ Status: 'FAILED', ResultCode: '101410' }), payment: {} } });
  const app = await openCard({ user: aUser() });
  await typeCard(app);
  await app.pointer.click(payButton());
  expect(await screen.findByText('Visa ···· 1119')).toBeVisible();
  expect(screen.queryByLabelText('Kortin numero')).toBeNull();
  await app.pointer.click(screen.getByRole('button', { name: 'Toinen kortti' }));
  expect(screen.getByLabelText('Kortin numero')).toHaveValue('');
});

test('a code of the provider about a field is said at that field', async () => {
  serve();
  serveMethods({});
  serveB({ 'finish-card-registration': { ResultCode: '105204' } });
  const app = await openCard({ user: aUser() });
  await typeCard(app);
  await app.pointer.click(payButton());
  await waitFor(() => expect(screen.getByLabelText('CVC')).toHaveAccessibleDescription(/kolme numeroa/));
  expect(screen.getByLabelText('CVC')).toHaveFocus();
});

test('a bank that asks is left for', async () => {
  serve();
  serveMethods({});
  serveB({
    payin: {
      payin: aPayIn({ Status: 'CREATED', SecureModeNeeded: true, SecureModeRedirectURL: '#3ds' }),
      payment: {},
    },
  });
  const app = await openCard({ user: aUser() });
  await typeCard(app);
  await app.pointer.click(payButton());
  expect(await screen.findByText(/Siirryt pankkisi sivulle/)).toBeVisible();
  expect(window.location.hash).toBe('#3ds');
  window.location.hash = '';
});

test('a registration address that does not answer leaves it unknown, then uncharged, and nothing is thrown away', async () => {
  serve();
  serveMethods({});
  serveB({ registration: () => HttpResponse.error() });
  server.use(http.get(payments('/api/pledges/:id/payment'), () => HttpResponse.error()));
  const app = await openCard({ user: aUser() });
  await typeCard(app);
  await app.pointer.click(payButton());
  expect(await screen.findByText('Emme tiedä vielä')).toBeVisible();
  server.use(http.get(payments('/api/pledges/:id/payment'), () => refusal('not_found', 404)));
  await app.pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
  expect((await screen.findAllByText(/Mitään ei veloitettu/))[0]).toBeVisible();
  expect(screen.getByLabelText('Kortin numero')).toHaveValue('4970 1071 1111 1119');
});

describe('kept cards', () => {
  const cards = [
    aKeptCard(),
    aKeptCard({ card_id: 'card_2', label: 'Mastercard ···· 5100', exp_month: 11, exp_year: 2026 }),
  ];
  const openKept = async () => {
    const sent = serve();
    serveMethods({ saved_cards: cards });
    const app = await openAt('/3/hoyry/pledge/4', { user: aUser() });
    await method(/^Visa ···· 4242/);
    return { ...app, sent };
  };

  test('the one that was used last is chosen and pays, without a card being typed', async () => {
    const sentToB = serveB();
    const { pointer } = await openKept();
    await waitFor(async () => expect(await method(/^Visa ···· 4242/)).toBeChecked());
    expect(screen.getByText('kortilta Visa ···· 4242')).toBeVisible();
    expect(screen.getByText(/^Vanhenee tässä kuussa/)).toBeVisible();
    expect(await method(/^Uusi kortti/)).not.toBeChecked();
    await waitFor(() => expect(payButton()).toBeEnabled());
    await pointer.click(payButton());
    await screen.findByText('TK-2026-004183');
    expect(sentToB.of('payin')).toEqual([expect.objectContaining({ cardId: 'card_kept', amount: 1000 })]);
    expect(sentToB.cards).toEqual([]);
  });

  test('one is removed after a question in its place, and stays when its removal fails', async () => {
    serveB();
    const removed: string[] = [];
    let isDown = true;
    server.use(
      http.delete(payments('/api/users/me/cards/:id'), ({ params }) => {
        removed.push(String(params.id));
        return isDown ? refusal('unavailable', 503) : new HttpResponse(null, { status: 204 });
      }),
    );
    const { pointer } = await openKept();
    await pointer.click(screen.getByRole('button', { name: 'Poista Mastercard ···· 5100' }));
    const box = within(screen.getByRole('group', { name: 'Poistetaanko Mastercard ···· 5100?' }));
    await pointer.click(box.getByRole('button', { name: 'Poista kortti' }));
    expect(await box.findByRole('alert')).toHaveTextContent('ei saatu poistettua');
    isDown = false;
    await pointer.click(box.getByRole('button', { name: 'Poista kortti' }));
    await waitFor(() => expect(screen.queryByText(/Mastercard ···· 5100/)).toBeNull());
    expect(removed).toEqual(['card_2', 'card_2']);
    expect(await method(/^Visa ···· 4242/)).toBeChecked();
  });

  test('one that its bank takes no longer leaves the list with one sentence', async () => {
    serveB({ payin: { payin: aPayIn({ Status: 'FAILED', ResultCode: '101105' }), payment: {} } });
    const { pointer } = await openKept();
    await waitFor(() => expect(payButton()).toBeEnabled());
    await pointer.click(payButton());
    expect(await screen.findByText(/^Pankki ei hyväksy enää korttia Visa ···· 4242/)).toBeVisible();
    expect(screen.queryByRole('radio', { name: /^Visa ···· 4242/ })).toBeNull();
    expect(await method(/^Mastercard ···· 5100/)).not.toBeChecked();
  });
});
