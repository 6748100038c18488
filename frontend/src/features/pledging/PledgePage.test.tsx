import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../test/builders';
import { installProvider, type ProviderScript } from '../../../test/cardForm';
import { chooseCard, serve, open, fillIn, fillInAddress, payButton, pickUp } from '../../../test/checkout';
import { renderAt } from '../../../test/render';

import { content, server } from '../../../test/server';
import { noPageData } from '../../api/pageData';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

let provider: ProviderScript;
beforeAll(() => {
  provider = installProvider();
});
beforeEach(() => {
  Object.assign(provider, {
    isComplete: true,
    results: [],
    confirmed: [],
    amounts: [],
    formOutcomes: [],
  });
});
afterEach(() => window.sessionStorage.clear());

test('the reward in the path is chosen, with its stock, and the total once pick-up or post is chosen', async () => {
  serve();
  const { pointer } = await open('/3/hoyry/pledge/5');
  expect(screen.getByRole('heading', { level: 1, name: 'Lähde mukaan' })).toBeVisible();
  expect(screen.getByText('Jäljellä 14, kerralla enintään 10')).toBeVisible();
  expect(screen.getByRole('radio', { name: /Nouto kirjastosta/ })).not.toBeChecked();
  expect(screen.getByRole('radio', { name: /Avainkortti/ })).not.toBeChecked();
  expect(payButton(/^Maksa$/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Yksi lisää' }));
  await pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
  const summary = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  expect(summary.getByText('2 × Iltavuoro kahdelle')).toBeVisible();
  expect(summary.getByText('0,00 €')).toBeVisible();
  expect(summary.getByText('sis. alv 11,48 €')).toBeVisible();
  expect(payButton(/^Maksa 96,50.€$/)).toBeVisible();
  await waitFor(() => expect(provider.amounts.at(-1)).toBe(9650));
});

test('for a quantity above the stock, the error is shown instead of a sum', async () => {
  serve();
  const { pointer } = await open('/3/hoyry/pledge/5');
  const field = screen.getByRole('textbox', { name: 'Määrä' });
  await pointer.clear(field);
  await pointer.type(field, '15');
  expect(field).toHaveAccessibleDescription('Enintään 10.');
  const summary = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  expect(summary.getByText(/Enintään 10\./)).toBeVisible();
  expect(summary.queryByText(/€/)).not.toBeInTheDocument();
  expect(payButton(/^Maksa$/)).toBeVisible();
});

test('nothing is preselected, and Pay says that a choice is missing', async () => {
  const sent = serve();
  const { pointer } = await open('/3/hoyry/pledge/');
  for (const radio of within(screen.getByRole('group', { name: 'Valitse vastike' })).getAllByRole('radio'))
    expect(radio).not.toBeChecked();
  expect(screen.queryByLabelText('Summa')).toBeNull();
  expect(payButton()).toHaveTextContent(/^Maksa$/);
  expect(screen.getByText('Et ole vielä valinnut mitään.')).toBeVisible();
  await pointer.click(payButton());
  expect(screen.getByText('Valitse jokin näistä.')).toBeVisible();
  expect(screen.getAllByRole('radio')[0]).toHaveFocus();
  expect(sent.pledges).toHaveLength(0);
});

test('pick-up or post has to be chosen, and what is missing is said at the choice', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/5', { user: aUser() });
  await app.pointer.click(payButton());
  const ways = within(screen.getByRole('group', { name: 'Toimitus tai lisä' }));
  expect(ways.getByText('Valitse jokin näistä.')).toBeVisible();
  expect(ways.getAllByRole('radio')[0]).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Toimitus tai lisä' })).toBeVisible();
  expect(sent.pledges).toHaveLength(0);
  await pickUp(app);
  await app.pointer.click(payButton(/^Maksa 45,00.€$/));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({ added_cost: 0 });
});

test('without a reward, amounts are suggested and the custom amount starts at 1 €', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/', { user: aUser() });
  const { pointer } = app;
  await pointer.click(screen.getByRole('radio', { name: /Ilman vastiketta/ }));
  const sums = within(screen.getByRole('group', { name: 'Paljonko annat?' }));
  expect(sums.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual([
    '10',
    '25',
    '50',
    'custom',
  ]);
  for (const radio of sums.getAllByRole('radio')) expect(radio).not.toBeChecked();
  await pointer.click(sums.getByRole('radio', { name: 'Muu summa' }));
  expect(screen.getByLabelText('Summa')).toHaveValue('1');
  expect(payButton(/^Maksa 1,00.€$/)).toBeVisible();
  await pointer.click(sums.getByRole('radio', { name: /^25/ }));
  expect(screen.queryByLabelText('Summa')).toBeNull();
  await pointer.click(payButton(/^Maksa 25,00.€$/));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body).toMatchObject({ amount: 25, reward_id: null });
});

test('a sum above the limit is told the limit, and no button has it', async () => {
  serve();
  const { pointer } = await open('/3/hoyry/pledge/', { user: aUser() });
  await pointer.click(screen.getByRole('radio', { name: /Ilman vastiketta/ }));
  await pointer.click(screen.getByRole('radio', { name: 'Muu summa' }));
  await pointer.fill(screen.getByLabelText('Summa'), '10000000');
  expect(payButton(/^Maksa$/)).toBeVisible();
  const summary = within(screen.getByRole('complementary', { name: 'Yhteenveto' }));
  expect(summary.getByText(/^Enintään 100.000,00.€\.$/)).toBeVisible();
  expect(screen.queryByText(/10.000.000,00/)).toBeNull();
});

test('a reward that is sent needs an address, whose country decides the postcode’s format', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/5', { user: aUser() });
  const { pointer } = app;
  expect(screen.queryByLabelText('Katuosoite')).toBeNull();
  await pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
  expect(screen.getByLabelText('Maa')).toHaveValue('FI');
  await fillInAddress(app);
  await pointer.selectOptions(screen.getByLabelText('Maa'), 'SE');
  expect(screen.getByLabelText('Postinumero')).toHaveValue('72400');
  await pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({
    address_country: 'SE',
    address_postcode: '72400',
  });
});

test('choosing a reward changes the path, and the browser’s back button restores the earlier choice', async () => {
  serve();
  const { pointer, router } = await open('/3/hoyry/pledge/');
  expect(screen.getByRole('radio', { name: /Kummin vuorokausi/ })).toBeDisabled();

  await pointer.click(screen.getByRole('radio', { name: /Löylykiitos/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/4'));
  await pointer.click(screen.getByRole('radio', { name: /Iltavuoro/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/5'));
  await screen.findByRole('radio', { name: /Nouto kirjastosta/ });
  await pickUp({ pointer });
  expect(await screen.findByRole('button', { name: /^Maksa 45,00.€$/ })).toBeVisible();

  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.getByRole('radio', { name: /Löylykiitos/ })).toBeChecked());
  expect(payButton(/^Maksa 10,00.€$/)).toBeVisible();
});

test('a sold-out reward says so and cannot be paid', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/6');
  expect(screen.getByText('Tämä vastike on loppu.')).toBeVisible();
  await fillIn(app);
  await app.pointer.click(payButton());
  expect(screen.getAllByText('Tämä vastike on loppu.')).toHaveLength(1);
  expect(screen.getByText('Et ole vielä valinnut mitään.')).toBeVisible();
  expect(screen.queryByRole('radio', { name: /Kummin vuorokausi/, checked: true })).toBeNull();
  expect(sent.pledges).toHaveLength(0);
});

test('missing values are named at their fields and above the button, and the first gets the focus', async () => {
  const sent = serve();
  const { pointer } = await open('/3/hoyry/pledge/5');
  await pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
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

test('validation messages are in the page’s language', async () => {
  serve();
  const { pointer } = await open('/en/3/hoyry/pledge/');
  await pointer.click(screen.getByRole('radio', { name: /Without a reward/ }));
  await pointer.click(screen.getByRole('radio', { name: 'Another sum' }));
  await pointer.clear(screen.getByLabelText('Amount'));
  await pointer.type(screen.getByLabelText('Amount'), '0.20');
  await pointer.click(screen.getByRole('button', { name: /^Pay/ }));
  expect(screen.getByLabelText('Amount')).toHaveAccessibleDescription('At least €0.50.');
  expect(screen.getByText(/4 things need correcting/)).toBeVisible();
});

test('what was typed is kept over a reload, except for passwords', async () => {
  serve();
  const first = await open('/3/hoyry/pledge/4');
  await fillIn(first);
  await first.pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
  await first.pointer.fill(screen.getByLabelText('Salasana'), 'salasana1');
  first.unmount();
  await open('/3/hoyry/pledge/4');
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  expect(screen.getByRole('radio', { name: 'Minulla on jo tili' })).toBeChecked();
  expect(screen.getByLabelText('Salasana')).toHaveValue('');
  const kept = Object.keys(window.sessionStorage).map((name) => window.sessionStorage.getItem(name));
  expect(kept.join()).toContain('leena@example.fi');
  expect(kept.join()).not.toContain('salasana1');
});

test('for a signed-in user the form is filled in', async () => {
  serve();
  await open('/3/hoyry/pledge/4', { user: aUser() });
  expect(screen.getByLabelText('Sukunimi')).toHaveValue('Hakkarainen');
  expect(screen.queryByText('Tili')).toBeNull();
});

describe('Pay is disabled until everything that paying needs is loaded', () => {
  beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
  afterEach(() => jest.restoreAllMocks());

  test('while the card form loads, that is said, and Enter in a field sends nothing', async () => {
    const sent = serve();
    provider.formOutcomes = ['silence'];
    const page = {
      ...noPageData(),
      config: { stripe_publishable_key: 'pk_test_1' },
    };
    const { pointer } = await renderAt('/3/hoyry/pledge/4', {
      user: aUser(),
      page,
    });
    await chooseCard({ pointer });
    await screen.findByText('Card fields');
    expect(payButton()).toBeDisabled();
    expect(screen.getByText('Maksulomake latautuu vielä.')).toBeVisible();
    await pointer.type(screen.getByLabelText('Sähköposti'), '{Enter}');
    expect(sent.pledges).toHaveLength(0);
    await pointer.click(screen.getByRole('radio', { name: /Maksusivu/ }));
    await waitFor(() => expect(payButton()).toBeEnabled());
  });

  test('a card form that fails to load says so, can be retried and then used', async () => {
    serve();
    provider.formOutcomes = ['loaderror'];
    const page = {
      ...noPageData(),
      config: { stripe_publishable_key: 'pk_test_1' },
    };
    const { pointer } = await renderAt('/3/hoyry/pledge/4', {
      user: aUser(),
      page,
    });
    await chooseCard({ pointer });
    const failed = await screen.findByText('Korttilomake ei auennut');
    expect(await screen.findByText('Kaikki ei ole vielä latautunut. Yritämme uudelleen.')).toBeVisible();
    expect(screen.queryByText('Maksulomake latautuu vielä.')).toBeNull();
    expect(payButton()).toBeDisabled();
    await pointer.click(screen.getByRole('button', { name: 'Yritä uudelleen' }));
    await waitFor(() => expect(payButton()).toBeEnabled());
    expect(failed).not.toBeInTheDocument();
    await pointer.click(payButton());
    expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  });

  test('a card form that reports nothing for 20 seconds is treated as failed', async () => {
    serve();
    provider.formOutcomes = ['silence'];
    const later = jest.spyOn(window, 'setTimeout');
    const page = {
      ...noPageData(),
      config: { stripe_publishable_key: 'pk_test_1' },
    };
    await chooseCard(await renderAt('/3/hoyry/pledge/4', { user: aUser(), page }));
    await screen.findByText('Card fields');
    const gaveUp = later.mock.calls.filter(([, pause]) => pause === 20_000);
    act(() => gaveUp.forEach(([giveUp]) => giveUp()));
    expect(await screen.findByText('Korttilomake ei auennut')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Yritä uudelleen' })).toBeVisible();
  });
});

test('without a publishable key cards are switched off, and no pledge is made', async () => {
  const sent = serve();
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
  const { pointer } = await renderAt('/3/hoyry/pledge/4', { user: aUser() });
  await chooseCard({ pointer });
  expect(await screen.findByText(/Korttilomake ei auennut/)).toBeVisible();
  await pointer.click(payButton());
  expect((await screen.findAllByText(/Maksaminen ei ole juuri nyt käytössä/))[0]).toBeVisible();
  expect(sent.pledges).toHaveLength(0);
  jest.restoreAllMocks();
});

test('a campaign that has ended shows no form', async () => {
  serve();
  server.use(
    http.get(content('/campaigns/3/:language/'), () =>
      HttpResponse.json({ campaign: aCampaign({ stage: 4 }), acl: ['view'] }),
    ),
  );
  await renderAt('/3/hoyry/pledge/');
  expect(await screen.findByText('Kampanja ei juuri nyt ota vastaan tukea')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
});
