import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { cardError } from '../../../../test/checkout';
import { content, payments, refusal, server } from '../../../../test/server';
import {
  aPaidDecember,
  aPaying,
  aRecord,
  failed,
  id,
  limited,
  overLimit,
  serveLimits,
  serveMonthly,
} from '../../../../test/subscription';
import { openOwnSupport, openSupport, otherId, scriptedProvider } from '../../../../test/supportPage';

jest.setTimeout(30_000);

const provider = scriptedProvider();

test('after a failed charge the form stands first, with the coming tries, and pays that month', async () => {
  const { state } = serveMonthly(aPaying(failed));
  const { pointer } = await openSupport();
  const due = within(screen.getByRole('region', { name: 'December’s €7.00 did not go through' }));
  expect(due.getByText(/We try again on Monday 21 December 2026/)).toBeVisible();
  const tries = within(screen.getByRole('region', { name: 'What happens with December' }));
  expect(tries.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '20 DecTried, the bank said no',
    '21 DecWe try again',
    '23 Dec, 25 Dec, 27 Dec3 more tries',
    '28 DecYour support waits for a payment. No debt.',
  ]);
  const button = await due.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());

  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await pointer.click(button);
  await waitFor(() =>
    expect(due.getByRole('alert')).toHaveTextContent(/card was refused|declined|not accept/i),
  );

  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  expect(provider.confirmed).toEqual([`secret-of-${id}`, `secret-of-${id}`]);
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: /did not go through/ })).not.toBeInTheDocument(),
  );
});

test('while a month is to be paid, nothing says that nothing is charged, and its form alone takes another card', async () => {
  serveMonthly(aPaying(failed));
  await openSupport();
  expect(screen.queryByText(/Nothing is charged/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Next charge' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Change card' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a card that pays a month pays the other support too that had the refused one, unless it is not wanted', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { sent, state } = serveMonthly(aPaying({ ...failed, card: shared }));
  const { pointer } = await openOwnSupport();
  const all = await screen.findByRole('checkbox', {
    name: 'Use this card also for my other support that the old card pays',
  });
  expect(all).toBeChecked();
  expect(screen.getByText(/this card is charged for it at once/)).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await pointer.click(button);
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
  expect(sent.changes).toEqual([]);
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(
    await screen.findByText(/The card now also pays the other support that the old card paid/),
  ).toBeVisible();
  expect(sent.changes).toEqual([['PUT card', { also: [otherId] }]]);
});

test.each([
  ['paid', aPaying({ ...failed, card: { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true } })],
  ['saved', aPaying({ card: { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true } })],
])(
  'nothing is %s before it is known whether its card is asked for other support too',
  async (what, paying) => {
    const { sent, state } = serveMonthly(paying);
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const { pointer } = await openOwnSupport(() => isAnswered);
    if (what === 'saved') await pointer.click(screen.getByRole('button', { name: 'Change card' }));
    await screen.findByText('Card fields');
    const button = await screen.findByRole('button', {
      name: what === 'paid' ? 'Pay €7.00 now' : 'Save card',
    });
    await act(() => Promise.resolve());
    expect(button).toBeDisabled();
    answer();
    expect(await screen.findByRole('checkbox', { name: /also for my other support/ })).toBeChecked();
    await waitFor(() => expect(button).toBeEnabled());
    state.paying = aPaidDecember();
    await pointer.click(button);
    await waitFor(() =>
      expect(sent.changes).toContainEqual(['PUT card', expect.objectContaining({ also: [otherId] })]),
    );
  },
);

test('where the list of one’s support does not have it, other support is not asked about', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { sent, state } = serveMonthly(aPaying({ ...failed, card: shared }));
  let lists = 0;
  server.use(
    http.get(content('/users/me/subscriptions/:language/'), () => {
      lists += 1;
      return HttpResponse.json({ subscriptions: [aRecord({ subscription_id: otherId })], total: 1 });
    }),
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
  );
  const { pointer } = await openSupport();
  await waitFor(() => expect(lists).toBe(1));
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  expect(screen.queryByRole('checkbox')).toBeNull();
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  expect(sent.changes).toEqual([]);
});

test('a list of one’s support that cannot be read keeps nobody from paying', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { state } = serveMonthly(aPaying({ ...failed, card: shared }));
  server.use(http.get(content('/users/me/subscriptions/:language/'), () => refusal('unavailable', 503)));
  const { pointer } = await openSupport();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
});

describe('a month that the provider has confirmed is paid only once the service says so', () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const unpaid = aPaying({ ...failed, card: shared });
  const processing = aPaying({
    ...unpaid,
    due: {
      ...failed.due!,
      payment: { payment_id: 'p', status: 'processing', amount_minor: 700, currency: 'EUR' },
    },
  });

  test.each([
    ['the bank has it', processing, false],
    ['the service does not know yet', unpaid, false],
    ['the look is lost', unpaid, true],
  ])('%s', async (_, then, isLost) => {
    const { sent, state } = serveMonthly(unpaid);
    let isDown = false;
    server.use(
      http.get(payments('/api/subscriptions/:id/payment'), () =>
        isDown ? refusal('unavailable', 503) : undefined,
      ),
    );
    const { pointer } = await openOwnSupport();
    const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
    await waitFor(() => expect(button).toBeEnabled());
    state.paying = then;
    isDown = isLost;
    await pointer.click(button);
    expect(await screen.findByText(/The bank is confirming the payment/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    expect(screen.queryByText(/€7.00 paid/)).toBeNull();
    expect(sent.changes).toEqual([]);
    state.paying = aPaidDecember();
    isDown = false;
    expect(
      await screen.findByText(
        /paid. The card now also pays the other support that the old card paid/,
        {},
        { timeout: 5_000 },
      ),
    ).toBeVisible();
    expect(sent.changes).toEqual([['PUT card', { also: [otherId] }]]);
    expect(screen.queryByText(/The bank is confirming/)).toBeNull();
  });
});

test('when the card could not be given to the other support, the paid month stays paid and it is said', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { state } = serveMonthly(aPaying({ ...failed, card: shared }));
  server.use(http.put(payments('/api/subscriptions/:id/card'), () => refusal('unavailable', 503)));
  const { pointer } = await openOwnSupport();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('The change was not saved')).toBeVisible();
  expect(await screen.findByRole('region', { name: 'Next charge' })).toBeVisible();
});

test('a month that has failed for good is paid in its form, and no try is promised any more', async () => {
  const { state } = serveMonthly(
    aPaying({
      ...failed,
      status: 'past_due',
      due: { ...failed.due!, needs_backer: true, coming_tries: [], gives_up_on: undefined },
    }),
  );
  const { pointer } = await openSupport();
  expect(screen.getByText(/A payment is missing/)).toBeVisible();
  expect(screen.queryByText('We try again')).toBeNull();
  expect(screen.getByRole('button', { name: 'Stop supporting' })).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
});

test('when the connection breaks while paying, the page asks what came of it before it says anything', async () => {
  const { state } = serveMonthly(aPaying(failed));
  const { pointer } = await openSupport();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider.results = [
    { then: (_: unknown, reject: (reason: Error) => void) => reject(new Error('lost')) } as never,
  ];
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: /did not go through/ })).toBeNull());
});

test('when the set-up’s answer is lost, it is looked up, nothing was charged, and the next press pays', async () => {
  const { state } = serveMonthly(aPaying(failed));
  server.use(http.post(payments('/api/subscriptions/:id/setup'), () => HttpResponse.error(), { once: true }));
  const { pointer } = await openSupport();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  await pointer.click(button);
  const due = within(screen.getByRole('region', { name: /did not go through/ }));
  await waitFor(() => expect(due.getByRole('alert')).toHaveTextContent(/^Nothing was charged\./));
  expect(provider.confirmed).toEqual([]);
  state.paying = aPaidDecember();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
});

test.each([
  ['the confirmation', 'confirmation'],
  ['the set-up', 'setup'],
])(
  'when the answer is lost of %s, and of the look-up too, nothing can be paid until it is known',
  async (_, step) => {
    const { state } = serveMonthly(aPaying(failed));
    let isDown = false;
    server.use(
      http.get(payments('/api/subscriptions/:id/payment'), () => (isDown ? HttpResponse.error() : undefined)),
      http.post(payments('/api/subscriptions/:id/setup'), () =>
        isDown && step === 'setup' ? HttpResponse.error() : undefined,
      ),
    );
    const { pointer } = await openSupport();
    const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
    await waitFor(() => expect(button).toBeEnabled());
    if (step === 'confirmation') provider.results = [cardError({ type: 'api_connection_error' })];
    isDown = true;
    await pointer.click(button);
    expect(await screen.findByText('Do not pay again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    expect(screen.queryByText(/Nothing was charged/)).toBeNull();
    await pointer.click(screen.getByRole('button', { name: 'Ask now' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Ask now' })).not.toHaveAttribute('aria-busy'),
    );
    expect(screen.getByText('Do not pay again.')).toBeVisible();
    isDown = false;
    state.paying = aPaidDecember();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  },
);

test('when the bank needs the backer, no tries are promised', async () => {
  serveMonthly(aPaying({ due: { ...failed.due!, needs_backer: true } }));
  await openSupport();
  expect(screen.getByText(/The bank needs you/)).toBeVisible();
  expect(screen.queryByText('We try again')).toBeNull();
});

test('while a charge is on its way the page asks again until it is known', async () => {
  const { state } = serveMonthly(
    aPaying({
      due: {
        ...failed.due!,
        payment: { payment_id: 'p', status: 'processing', amount_minor: 700, currency: 'EUR' },
      },
    }),
  );
  await openSupport();
  expect(screen.getByText(/The bank is confirming the payment/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  state.paying = aPaying();
  await waitFor(() => expect(screen.queryByText(/The bank is confirming/)).toBeNull(), { timeout: 5_000 });
});

test('a failed month whose skip would cross the spending limit is asked about, and skipped once the limit is raised', async () => {
  const { sent } = serveMonthly(aPaying({ ...failed, status: 'past_due' }));
  const put = serveLimits(limited(40));
  server.use(http.post(payments('/api/subscriptions/:id/skip'), () => overLimit(4000, 4350), { once: true }));
  const { pointer } = await openSupport(aUser());
  const due = within(screen.getByRole('region', { name: 'December’s €7.00 did not go through' }));
  await pointer.click(await due.findByRole('button', { name: 'Skip December' }));
  const box = within(await due.findByRole('region', { name: 'December would come to €43.50' }));
  await pointer.click(box.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('December is skipped')).toBeVisible();
  expect(sent.changes).toEqual([['POST skip', { period: 3 }]]);
  expect(put).toHaveLength(1);
});

test('a slow look is not overtaken by the next one: what follows a paid month is done once', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { sent, state } = serveMonthly(aPaying({ ...failed, card: shared }));
  let isSlow = false;
  server.use(
    http.get(payments('/api/subscriptions/:id/payment'), async () => {
      if (!isSlow) return undefined;
      state.paying = aPaidDecember();
      await delay(1_800); // longer than the pause before the second look
      return undefined;
    }),
  );
  const { pointer } = await openOwnSupport();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  await pointer.click(button);
  expect(await screen.findByText(/The bank is confirming the payment/)).toBeVisible();
  isSlow = true;
  expect(await screen.findByText(/The card now also pays the other support/)).toBeVisible();
  expect(sent.changes).toEqual([['PUT card', { also: [otherId] }]]);
});
