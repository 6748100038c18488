import { now } from '../../../test/clock';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aFakeProvider } from '../../../test/cardForm';
import {
  fullReward,
  plainReward,
  soldOutReward,
  cardError,
  serve,
  open,
  fillIn,
  payButton,
  pickUp,
  config,
} from '../../../test/checkout';
import { aPayment, aUser } from '../../../test/builders';
import { renderAt } from '../../../test/render';
import { noPageData } from '../../api/pageData';
import { content, payments, refusal, server } from '../../../test/server';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

const provider = aFakeProvider();

test('after a refused card another card pays the same pledge', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.results = [
    cardError({ type: 'card_error', code: 'card_declined' }),
    cardError({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' }),
  ];
  await app.pointer.click(payButton());
  expect(await screen.findByText(/Kortti ei käynyt\. Mitään ei veloitettu\. Varauksesi on/)).toBeVisible();
  expect(payButton()).toBeEnabled();
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');

  await app.pointer.click(payButton());
  expect(await screen.findByText(/Pankin vahvistus jäi kesken/)).toBeVisible();
  expect(screen.queryByText(/toista korttia/)).toBeNull();
  await app.pointer.click(payButton(/^Avaa pankin vahvistus uudelleen$/));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(1);
  expect(new Set(provider.confirmed)).toEqual(new Set(['secret-of-01JD0000000000000000000000']));
  expect(provider.confirmed).toHaveLength(3);
});

test.each([
  ['a refused card', { notPaid: 'card_declined' }, /Kortti ei käynyt/],
  ['an unfinished 3-D Secure challenge', { notPaid: 'authentication_failed' }, /Pankin vahvistus jäi kesken/],
  ['leaving the payment page', { notPaid: 'canceled' }, /Palasit maksusivulta maksamatta/],
])(
  'back from the payment page after %s, the reason is visible and has the focus',
  async (_, outcome, words) => {
    serve();
    const seen = jest.spyOn(window.HTMLElement.prototype, 'scrollIntoView');
    const app = await renderAt('/info/money/', { user: aUser(), page: { ...noPageData(), config } });
    await act(() => app.router.navigate('/3/hoyry/pledge/4', { state: { ...outcome, keepFocus: true } }));
    const form = within(await screen.findByRole('complementary', { name: 'Yhteenveto' }));
    const reason = (await form.findByText(words)).closest('p');
    await waitFor(() => expect(reason).toHaveFocus());
    expect(seen.mock.contexts).toContain(reason);
    seen.mockRestore();
  },
);

test('after a failed 3-D Secure challenge on this page, the reason has the focus', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  provider.results = [
    cardError({ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' }),
  ];
  await app.pointer.click(payButton());
  const form = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  const reason = (await form.findByText(/Pankin vahvistus jäi kesken/)).closest('p');
  await waitFor(() => expect(reason).toHaveFocus());
});

test('a payment that is still open at a bank of the other provider is said with its end', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  server.use(
    http.post(payments('/api/pledges/:id/setup'), () =>
      HttpResponse.json(
        {
          status: 'payment_open_at_bank',
          message: '',
          request_id: 'r',
          params: { until: '2026-11-02T10:40:00Z' },
        },
        { status: 409 },
      ),
    ),
  );
  await app.pointer.click(payButton());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /odottaa vielä vahvistusta pankissasi\. .* Se päättyy viimeistään klo 12\.40\.$/,
  );
});

test('a refusal is said once, beside the button, while that is on the screen', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await app.pointer.click(payButton());
  expect(await screen.findByText(/Kortti ei käynyt/)).toBeVisible();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('a refusal that is off the screen is a notice, too, which is gone on the thanks page that follows', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, -500, 300, 40));
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await app.pointer.click(payButton());
  expect(await screen.findByText('Maksu ei mennyt läpi')).toBeVisible();
  jest.restoreAllMocks();
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  await waitFor(() => expect(screen.queryByText('Maksu ei mennyt läpi')).toBeNull());
});

const withoutFunds = cardError({
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
});
const ways = () => within(screen.getByRole('radiogroup', { name: 'Mitä haluat tehdä?' }));

test('a card without funds offers three ways on in place of the pay button, and each leads to its place', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5', { user: aUser() });
  await pickUp(app);
  await app.pointer.click(screen.getByRole('button', { name: 'Yksi lisää' }));
  provider.results = [withoutFunds, withoutFunds, withoutFunds];
  await app.pointer.click(payButton());
  const reason = await screen.findByRole('alert');
  expect(reason).toHaveTextContent(/Kortilla ei ole nyt katetta summalle 90,00.€\. ?Mitään ei veloitettu\./);
  await waitFor(() => expect(reason).toHaveTextContent('Tukesi odottaa klo 14.30 asti'));
  expect(reason).toHaveFocus();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  expect(ways().getAllByRole('radio')).toHaveLength(3);
  expect(ways().queryByRole('radio', { checked: true })).toBeNull();
  expect(screen.getByRole('button', { name: 'Valitse ensin' })).toBeDisabled();

  await app.pointer.click(ways().getByRole('radio', { name: 'Toinen kortti' }));
  await app.pointer.click(screen.getByRole('button', { name: 'Jatka' }));
  expect(provider.focused).toBe(1);
  await app.pointer.click(payButton(/^Maksa 90,00/));

  await app.pointer.click(
    await screen.findByRole('radio', { name: '1 × Iltavuoro kahdelle', description: /Veloitetaan 45,00/ }),
  );
  await app.pointer.click(screen.getByRole('button', { name: 'Jatka' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await app.pointer.click(payButton(/^Maksa 45,00/));

  await app.pointer.click(await screen.findByRole('radio', { name: 'Pienempi summa tai toinen vastike' }));
  await app.pointer.click(screen.getByRole('button', { name: 'Jatka' }));
  expect(screen.getByRole('button', { name: 'Vaihda vastike' })).toHaveFocus();
});

test('the payment page is a way on, and another choice in the form brings the pay button back', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  provider.results = [withoutFunds, withoutFunds];
  await app.pointer.click(payButton());
  await app.pointer.click(
    await screen.findByRole('radio', { name: 'Maksusivu', description: /maksupalvelu/ }),
  );
  await app.pointer.click(screen.getByRole('button', { name: 'Jatka' }));
  expect(screen.getByRole('radio', { name: /^Maksusivu/ })).toBeChecked();
  expect(payButton(/^Maksa 10,00/)).toBeVisible();

  await app.pointer.click(screen.getByRole('radio', { name: /^Kortti/ }));
  await app.pointer.click(payButton(/^Maksa 10,00/));
  expect(await screen.findByText(/ei ole nyt katetta/)).toBeVisible();
  await app.pointer.click(screen.getByRole('button', { name: 'Yksi lisää' }));
  expect(screen.queryByText(/ei ole nyt katetta/)).toBeNull();
  expect(payButton(/^Maksa 20,00/)).toBeVisible();
});

test('what has been asked about for two hours is handed over to a person, with the number that finds it', async () => {
  serve();
  server.use(http.get(payments('/api/pledges/:id/payment'), () => HttpResponse.error()));
  const begun = { pledgeId: '01JD0000000000000000000000', amount: 10, at: now - 2 * 3_600_000 };
  window.localStorage.setItem('tk-under-way-3-guest', JSON.stringify([begun]));
  await renderAt('/3/hoyry/pledge/4', { page: { ...noPageData(), config } });
  const said = (await screen.findByText('Pankki ei ole vastannut kahteen tuntiin.')).closest('div');
  expect(said).toHaveTextContent(/Älä maksa uudelleen\. Kirjoita meille.*01JD0000000000000000000000/);
  expect(screen.getByRole('link', { name: 'ehdoissa' })).toHaveAttribute('href', '/info/terms/');
  expect(screen.getByRole('button', { name: 'Kysy nyt' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  window.localStorage.clear();
});

test('a wrong security code leads to the card’s fields, where it is said', async () => {
  serve();
  const scroll = jest.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined);
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  provider.results = [cardError({ type: 'card_error', code: 'incorrect_cvc' })];
  await app.pointer.click(payButton());
  const card = within(screen.getByRole('region', { name: 'Maksutapa' }));
  const reason = await card.findByRole('alert');
  expect(reason).toHaveTextContent(/ei täsmää.*kolme numeroa\.$/);
  expect(scroll.mock.contexts.at(-1)).toBe(reason);
  expect(provider.focused).toBe(1);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByText(/toista korttia/)).toBeNull();
});

test('when the answers are lost, the page says that it does not know, hides the pay button and asks until it does', async () => {
  const sent = serve();
  let isDown = true;
  server.use(
    http.get(payments('/api/pledges/:id/payment'), () =>
      isDown ? HttpResponse.error() : HttpResponse.json({ payment: aPayment({ status: 'succeeded' }) }),
    ),
  );
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.results = [cardError({ type: 'api_connection_error' })];
  await app.pointer.click(payButton());
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  expect(screen.queryByText(/ei mennyt läpi|toista korttia|Mitään ei veloitettu/)).toBeNull();
  expect(screen.getByText('leena@example.fi')).toBeVisible();
  // Asking in vain changes nothing.
  await app.pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
  expect(await screen.findByText(/^Kysytty 2 kertaa/)).toBeVisible();
  app.unmount();

  // The next visit, in another tab.
  window.sessionStorage.clear();
  await renderAt('/3/hoyry/pledge/', { page: { ...noPageData(), config } });
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  isDown = false;
  act(() => void window.dispatchEvent(new Event('online')));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(1);
  expect(provider.confirmed).toHaveLength(1);
});

test('what was left under way and not paid gives way to the form, without a word', async () => {
  serve();
  const underWay = [{ pledgeId: '01JD0000000000000000000000', amount: 10, at: now - 60_000 }];
  window.localStorage.setItem('tk-under-way-3-guest', JSON.stringify(underWay));
  await open('/3/hoyry/pledge/4');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('Älä maksa uudelleen.')).toBeNull();
  expect(window.localStorage.getItem('tk-under-way-3-guest')).toBeNull();
});

test('the same pledge from this browser is asked about, and paid again only if that is wanted', async () => {
  const sent = serve();
  const first = await open('/3/hoyry/pledge/4', { user: aUser() });
  await first.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  first.unmount();
  window.sessionStorage.clear();

  const again = await open('/3/hoyry/pledge/4', { user: aUser() });
  await again.pointer.click(payButton());
  const question = within(
    await screen.findByRole('dialog', { name: /^Annoit saman tuen .* sitten\. Vielä/ }),
  );
  expect(question.getByText(/yhteensä 20,00/)).toBeVisible();
  await again.pointer.click(question.getByRole('button', { name: 'En maksa uudelleen' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.pledges).toHaveLength(1);
  await again.pointer.click(payButton());
  await again.pointer.click(await screen.findByRole('button', { name: /vielä kerran$/ }));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(2);
  expect(new Set(sent.pledges.map(({ key }) => key)).size).toBe(2);
});

test('a reward that runs out while one types is unselected, with its sum, and the nearest free one comes first', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5', { user: aUser() });
  await pickUp(app);
  server.use(
    http.post(content('/campaigns/3/pledges/'), () => refusal('reward_gone', 409)),
    http.get(content('/campaigns/3/rewards/:language/'), () =>
      HttpResponse.json({ rewards: [plainReward, { ...fullReward, stock_reserved: 100 }, soldOutReward] }),
    ),
  );
  await app.pointer.click(payButton());
  const reason = await screen.findByText(
    'Joku ehti viedä viimeisen. Mitään ei veloitettu. Kaikki kirjoittamasi on tallessa.',
  );
  expect(reason).toHaveFocus();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByText(/loppu(?!kuun)/)).toBeNull();
  const list = within(screen.getByRole('group', { name: 'Valitse vastike' }));
  expect(list.getAllByRole('radio')[0]).toHaveAccessibleName(/Löylykiitos/);
  expect(list.queryByRole('radio', { checked: true })).toBeNull();
  expect(screen.getByText('Et ole vielä valinnut mitään.')).toBeVisible();
  expect(payButton()).toHaveTextContent(/^Maksa$/);
});

test.each([
  ['reward_gone', [/Löylykiitos/, /Iltavuoro kahdelle/]],
  ['reward_closed', [/Löylykiitos/, /Kummin vuorokausi/]],
])('after %s, the reward is not offered again while the rewards are read again', async (status, names) => {
  serve();
  const app = await open('/3/hoyry/pledge/5', { user: aUser() });
  await pickUp(app);
  let reads = 0;
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  server.use(
    http.post(content('/campaigns/3/pledges/'), () => refusal(status, 409)),
    http.get(content('/campaigns/3/rewards/:language/'), async () => {
      reads += 1;
      await isAnswered;
      return HttpResponse.json({ rewards: [plainReward] });
    }),
  );
  await app.pointer.click(payButton());
  const list = within(await screen.findByRole('group', { name: 'Valitse vastike' }));
  await waitFor(() => expect(reads).toBe(1));
  const rewards = list.getAllByRole('radio');
  names.forEach((name, place) => expect(rewards[place]).toHaveAccessibleName(name));
  expect(rewards[0]).toBeEnabled();
  expect(rewards[1]).toBeDisabled();
  answer();
  await waitFor(() => expect(list.getAllByRole('radio')).toHaveLength(2));
});

test.each(['reward_gone', 'reward_closed'])(
  'what was refused by %s and can be had again once the rewards were read is offered again, and not chosen',
  async (status) => {
    serve();
    const app = await open('/3/hoyry/pledge/5', { user: aUser() });
    await pickUp(app);
    server.use(
      http.post(content('/campaigns/3/pledges/'), () => refusal(status, 409)),
      http.get(content('/campaigns/3/rewards/:language/'), () =>
        HttpResponse.json({ rewards: [plainReward, { ...fullReward, stock_reserved: 99 }, soldOutReward] }),
      ),
    );
    await app.pointer.click(payButton());
    const list = within(await screen.findByRole('group', { name: 'Valitse vastike' }));
    const again = await list.findByRole('radio', { name: new RegExp(fullReward.title) });
    await waitFor(() => expect(again).toBeEnabled());
    expect(again).not.toBeChecked();
    expect(payButton()).toHaveTextContent(/^Maksa$/);
    await app.pointer.click(again);
    await waitFor(() => expect(payButton()).toHaveTextContent(/^Maksa \d/));
    expect(screen.queryByText(/Joku ehti/)).toBeNull();
  },
);

test('a reward that the campaign does not have is said to be none', async () => {
  serve();
  await open('/3/hoyry/pledge/99999');
  expect(screen.getByText('Tällaista vastiketta ei ole. Valitse toinen.')).toBeVisible();
});

test('after an incomplete card the button is enabled again, without another message', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.isComplete = false;
  await app.pointer.click(payButton());
  await waitFor(() => expect(payButton()).toBeEnabled());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sent.pledges).toHaveLength(0);
});

test('a validation error from the server is shown at its field', async () => {
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

test('if the reward has sold out meanwhile, that is said and the rewards are refetched', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await pickUp(app);
  server.use(
    http.post(content('/campaigns/3/pledges/'), () => refusal('quantity_above_stock', 409)),
    http.get(content('/campaigns/3/rewards/:language/'), () =>
      HttpResponse.json({ rewards: [{ ...fullReward, stock_reserved: 99 }] }),
    ),
  );
  await app.pointer.click(payButton());
  expect((await screen.findAllByText(/jäljellä vähemmän kuin valitsit/))[0]).toBeVisible();
  expect(await screen.findByText('Jäljellä 1')).toBeVisible();
});

test('a backer with too many reservations is told so, and nothing is charged', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await pickUp(app);
  server.use(http.post(content('/campaigns/3/pledges/'), () => refusal('too_many_held', 409)));
  await app.pointer.click(payButton());
  expect((await screen.findAllByText(/kuin kerralla voi varata. Maksa ne ensin/))[0]).toBeVisible();
  expect(payButton()).toBeEnabled();
  expect(provider.confirmed).toEqual([]);
});
