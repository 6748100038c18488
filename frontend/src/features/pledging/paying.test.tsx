import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aFakeProvider } from '../../../test/cardForm';
import { cardError, serve, open, fillIn, fillInAddress, payButton } from '../../../test/checkout';
import { aUser } from '../../../test/builders';
import { content, payments, refusal, server } from '../../../test/server';
import { selectUser } from '../../api/session';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

const provider = aFakeProvider();

test('one press of Pay charges once and leads to the thanks page', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await app.pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
  await fillInAddress(app);
  await app.pointer.dblClick(payButton());
  expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  expect(app.router.state.location.pathname).toBe('/3/hoyry/thanks/');
  expect(sent.pledges).toHaveLength(1);
  expect(sent.pledges[0]?.body).toMatchObject({
    amount: 51.5,
    reward_id: 5,
    pledge_meta: { address_postcode: '72400', added_cost: 1, quantity: 1, language: 'fi' },
  });
  expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBeNull();
});

test('what others see is told beside the choice, and the last choice is remembered', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  const shown = within(screen.getByRole('group', { name: 'Nimesi ja summa näkyvät tukijoissa' }));
  const choices = () =>
    ['Nimeäni ei näytetä', 'Summaa ei näytetä'].map((name) => screen.getByRole('checkbox', { name }));
  choices().forEach((choice) => expect(choice).not.toBeChecked());
  await app.pointer.click(shown.getByRole('checkbox', { name: 'Summaa ei näytetä' }));
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({ anonymous: false, hide_amount: true });

  await act(() => app.router.navigate('/3/hoyry/pledge/4'));
  await waitFor(() => expect(choices()[1]).toBeChecked());
  expect(choices()[0]).not.toBeChecked();
});

test('the card that was typed stays when the language is changed', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  await waitFor(() => expect(provider.mounted).toBe(1));
  await act(() => app.router.navigate('/sv/3/hoyry/pledge/4'));
  await screen.findByRole('button', { name: /^Betala/ });
  await waitFor(() => expect(provider.locales.at(-1)).toBe('sv'));
  expect(provider.mounted).toBe(1);
});

test('the campaign is refetched once the pledge is paid', async () => {
  serve();
  let asked = 0;
  server.use(http.get(content('/campaigns/3/:language/'), () => void (asked += 1)));
  const app = await open('/3/hoyry/pledge/4', { user: aUser() });
  expect(asked).toBe(1);
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  await waitFor(() => expect(asked).toBe(2));
});

test('the card form is submitted synchronously with the click, because a wallet opens only then', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  expect(provider.checks).toBe(0);
  fireEvent.click(payButton());
  expect(provider.checks).toBe(1);
  await screen.findByText('TK-2026-004183');
});

test('an existing account is signed in during the checkout; a wrong password is shown at its field', async () => {
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
  await pointer.fill(screen.getByLabelText('Sähköposti'), 'leena@example.fi');
  await pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
  await pointer.fill(screen.getByLabelText('Salasana'), 'väärä sana');
  await pointer.click(payButton());
  await waitFor(() => expect(screen.getByLabelText('Salasana')).toHaveAccessibleDescription(/ei täsmää/));
  expect(sent.pledges).toHaveLength(0);
  isRight = true;
  provider.results = [cardError({ type: 'card_error', code: 'incorrect_cvc' })];
  await pointer.click(payButton());
  expect((await screen.findAllByText(/Turvakoodi \(CVC\) ei täsmää/))[0]).toBeVisible();
  expect(selectUser(store.getState())?.first_name).toBe('Leena');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({ first_name: 'Leena', last_name: 'Hakkarainen' });
  // The form now has the account's name and no longer asks for an account.
  expect(screen.getByLabelText('Etunimi')).toHaveValue('Leena');
  expect(screen.queryByRole('radio', { name: 'Minulla on jo tili' })).toBeNull();
  await pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges).toHaveLength(1);
});

describe('with an account that asks for a second step', () => {
  const secondStep = { challenge: 'C', methods: ['totp'], expires_at: '2026-11-20T12:10:00Z' };
  /** Presses Pay, which asks for the step. */
  const begin = async (user = aUser({ email: 'leena@example.fi' })) => {
    const sent = serve();
    let codes = 0;
    server.use(
      http.post(content('/users/tokens/'), () =>
        HttpResponse.json({ second_step: secondStep }, { status: 202 }),
      ),
      http.post(content('/users/tokens/second_step/'), async ({ request }) => {
        codes += 1;
        const { code } = (await request.json()) as { code: string };
        return code === '111111'
          ? HttpResponse.json({ token: { string: 't', expires_at: '' }, user })
          : refusal('second_step_failed', 401);
      }),
    );
    const app = await open('/3/hoyry/pledge/4');
    await app.pointer.fill(screen.getByLabelText('Sähköposti'), 'leena@example.fi');
    await app.pointer.click(screen.getByRole('radio', { name: 'Minulla on jo tili' }));
    await app.pointer.fill(screen.getByLabelText('Salasana'), 'oikea sana');
    await app.pointer.click(payButton());
    const step = within(await screen.findByRole('dialog', { name: 'Vielä toinen vaihe' }));
    const field = () => step.getByLabelText('Tunnuslukusovelluksen koodi');
    const type = (code: string) => app.pointer.type(field(), `${code}{Enter}`);
    return { ...app, sent, field, type, codes: () => codes };
  };

  test('the pledge is sent again once the step is taken, with the account’s names, and only once', async () => {
    const { sent, type } = await begin();
    expect(sent.pledges).toHaveLength(0);
    await type('111111');
    await screen.findByText('TK-2026-004183');
    expect(sent.pledges).toHaveLength(1);
    expect(sent.pledges[0]?.body.pledge_meta).toMatchObject({
      first_name: 'Leena',
      last_name: 'Hakkarainen',
    });
  });

  test('a wrong code clears the pledge: the right one then signs in, and Pay has to be pressed', async () => {
    const { sent, field, type, pointer, codes } = await begin();
    await type('000000');
    await waitFor(() => expect(field()).toBeInvalid());
    expect(codes()).toBe(1);
    expect(field()).toHaveValue('');
    await type('111111');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByLabelText('Etunimi')).toHaveValue('Leena');
    expect(sent.pledges).toHaveLength(0);
    await pointer.click(payButton());
    await screen.findByText('TK-2026-004183');
    expect(sent.pledges).toHaveLength(1);
  });

  test('leaving the dialog clears it, and what was typed stays', async () => {
    const { sent, pointer } = await begin();
    await pointer.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(payButton()).toBeEnabled());
    expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
    expect(sent.pledges).toHaveLength(0);
  });

  test('nothing is sent for somebody else who signs in there', async () => {
    const { sent, type, store } = await begin(aUser({ user_id: 8, email: 'bo@example.fi' }));
    await type('111111');
    await waitFor(() => expect(selectUser(store.getState())?.user_id).toBe(8));
    await waitFor(() => expect(payButton()).toBeEnabled());
    expect(sent.pledges).toHaveLength(0);
  });
});

test('the hosted page is requested until it is ready', async () => {
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
