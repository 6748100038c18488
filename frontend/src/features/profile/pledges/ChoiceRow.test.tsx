import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { anOwnPledge, aReward, aUser } from '../../../../test/builders';
import type { aPointer } from '../../../../test/pointer';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { OwnPledge, PledgeChoice, Raise } from '../../../api/own';

jest.setTimeout(30_000);

type Pointer = ReturnType<typeof aPointer>;

// The menu beside the page does without a picture.
beforeEach(() => server.use(http.get(content('/users/me/profile'), () => refusal('unavailable', 503))));

const three = anOwnPledge({
  reward_id: 7,
  reward_title: 'Iltavuoro',
  quantity: 3,
  amount: 146.5,
  choice: { state: 'open', number: 0, until: '2026-11-30T21:59:59Z', unit: 45, added: 6.5, extra: 5 },
});

const waiting: Raise = {
  raise_id: '01hq0000000000000000000009',
  campaign_id: 3,
  status: 'created',
  currency: 'EUR',
  amount: 58.5,
  from_amount: 146.5,
  to_amount: 205,
  quantity: 1,
  reward_title: 'Ensilöylyt',
  lines: [{ label: 'Ensilöylyt', amount: 205 }],
  payable_until: '2026-11-22T10:05:00Z',
};

/** Serves one pledge of the signed-in person, and what else is offered; the first answer may be lost. */
function serve(pledge: OwnPledge, lost = 0) {
  const seen = { pledge, sent: [] as PledgeChoice[] };
  server.use(
    http.get(content('/users/me/pledges/:language/'), () =>
      HttpResponse.json({ pledges: [seen.pledge], total: 1, going_on: 1, over: 0, sums: [] }),
    ),
    http.get(content('/campaigns/:id/rewards/:language/'), () =>
      HttpResponse.json({
        rewards: [
          aReward({
            reward_id: 8,
            title: 'Kauha',
            amount: 10,
            stock: 0,
            added_costs: [],
            custom_questions: [],
            asks_for_address: false,
          }),
          aReward({
            reward_id: 9,
            title: 'Ensilöylyt',
            amount: 200,
            stock: 0,
            added_costs: [],
            custom_questions: [],
            asks_for_address: false,
          }),
        ],
      }),
    ),
    http.post(content('/pledges/:id/choice/'), async ({ request }) => {
      const choice = (await request.json()) as PledgeChoice;
      seen.sent.push(choice);
      if (seen.sent.length <= lost) return refusal('unavailable', 503);
      if (choice.amount > seen.pledge.amount) {
        seen.pledge = {
          ...seen.pledge,
          choice: { ...seen.pledge.choice, state: 'waits', raise: waiting },
        };
        return HttpResponse.json({ pledge: seen.pledge });
      }
      seen.pledge = {
        ...seen.pledge,
        amount: choice.amount,
        amount_charged: 146.5,
        amount_change_refunded: 0,
        quantity: choice.quantity,
        choice: { ...seen.pledge.choice, number: 1, changed_at: '2026-11-22T07:12:00Z' },
      };
      return HttpResponse.json({ pledge: seen.pledge });
    }),
  );
  return seen;
}

async function open() {
  const { pointer } = await renderAt('/profile/me/pledges/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta tukea' }));
  return { pointer, form: await screen.findByRole('form', { name: 'Muuta tukea' }) };
}

/** Presses it once what was pressed before has been answered: until then it takes no press. */
async function press(pointer: Pointer, form: HTMLElement, name: RegExp) {
  const button = await within(form).findByRole('button', { name });
  await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
  await pointer.click(button);
}

test('one of the same less: what it is then, what comes back, and one change however often it is sent', async () => {
  const seen = serve(three, 1);
  const { pointer, form } = await open();
  expect(within(form).getByRole('heading')).toHaveFocus();
  expect(within(form).queryByRole('button', { name: /Muuta ja/ })).toBeNull();
  await pointer.click(within(form).getByRole('button', { name: 'Yksi vähemmän' }));
  expect(form).toHaveTextContent(/Nyt: 3 × Iltavuoro146,50.€/);
  expect(form).toHaveTextContent(/Sen jälkeen: 2 × Iltavuoro101,50.€/);
  expect(form).toHaveTextContent(/palautetaan erotus.*Visa ···· 4242.*45,00.€/);
  await press(pointer, form, /Muuta ja palauta 45,00/);
  await waitFor(() => expect(seen.sent).toHaveLength(1));
  await press(pointer, form, /Muuta ja palauta 45,00/);
  expect(await screen.findByText('Tuki on muutettu.')).toBeInTheDocument();
  expect(seen.sent[1]).toEqual(seen.sent[0]);
  expect(seen.sent[0]).toMatchObject({ number: 0, reward_id: 7, quantity: 2, amount: 101.5 });
  expect(screen.queryByRole('form', { name: 'Muuta tukea' })).toBeNull();
  expect(await screen.findByText(/Maksoit 146,50.€, ja siitä 45,00.€ on matkalla takaisin\./)).toBeVisible();
});

test('another reward is chosen from what is offered now, and of a dearer one the difference is said', async () => {
  const seen = serve(three);
  let offer: (() => void) | undefined;
  const offered = new Promise<void>((resolve) => (offer = resolve));
  server.use(http.get(content('/campaigns/:id/rewards/:language/'), async () => (await offered, undefined)));
  const { pointer, form } = await open();
  await pointer.click(within(form).getByRole('button', { name: 'Vaihda vastike' }));
  expect(within(form).getByRole('status', { name: 'Ladataan' })).toBeVisible();
  offer?.();
  await pointer.click(await within(form).findByRole('radio', { name: /Ensilöylyt/ }));
  expect(within(form).queryByRole('status', { name: 'Ladataan' })).toBeNull();
  expect(form).toHaveTextContent(/Erotus veloitetaan seuraavaksi.*58,50.€/);
  expect(within(form).getByRole('button', { name: /^Maksamaan 58,50/ })).toBeVisible();
  await pointer.click(within(form).getByRole('radio', { name: /Kauha/ }));
  expect(form).toHaveTextContent(/Sen jälkeen: Kauha15,00.€/);
  await pointer.click(within(form).getByRole('button', { name: /Muuta ja palauta 131,50/ }));
  await waitFor(() => expect(seen.sent).toHaveLength(1));
  expect(seen.sent[0]).toMatchObject({ reward_id: 8, quantity: 1, amount: 15 });
});

test('what a pledge has become is shown as soon as the change is answered, whenever the list is read again', async () => {
  serve(three);
  const { pointer, form } = await open();
  server.use(http.get(content('/users/me/pledges/:language/'), () => delay('infinite')));
  await pointer.click(within(form).getByRole('button', { name: 'Yksi vähemmän' }));
  await press(pointer, form, /Muuta ja palauta 45,00/);
  expect(await screen.findByText('Tuki on muutettu.')).toBeInTheDocument();
  expect(await screen.findByText(/Maksoit 146,50.€, ja siitä 45,00.€ on matkalla takaisin\./)).toBeVisible();
});

test.each([
  ['settling', 'Voit muuttaa tukea, kun pankkisi on vahvistanut maksun.'],
  ['contested', 'Pankkisi selvittää maksua. Tukea voi muuttaa vasta, kun pankki on päättänyt.'],
  ['part_returned', 'Tukea ei voi muuttaa, koska osa siitä on jo palautettu muusta syystä.'],
  ['on_hold', 'Tukea ei voi muuttaa, kun kampanja on tauolla.'],
] as const)('%s: the page says why it cannot be changed', async (state, why) => {
  serve(anOwnPledge({ choice: { state, number: 0 } }));
  await renderAt('/profile/me/pledges/', { user: aUser() });
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Muuta tukea' })).toBeNull();
});

test.each([
  ['contested', 'processing', 'Pankkisi selvittää maksua. Tukea voi muuttaa vasta, kun pankki on päättänyt.'],
  ['on_hold', 'created', 'Tukea ei voi muuttaa, kun kampanja on tauolla.'],
  ['settling', 'created', 'Voit muuttaa tukea, kun pankkisi on vahvistanut maksun.'],
  [
    'settling',
    'processing',
    /Pankkisi vahvistaa vielä maksua 58,50.€\. Sen jälkeen tukesi on 205,00.€\. Älä maksa uudelleen\./,
  ],
] as const)('%s, with a change whose payment is %s: the page says what holds', async (state, status, why) => {
  serve({ ...three, choice: { ...three.choice, state, raise: { ...waiting, status } } });
  await renderAt('/profile/me/pledges/', { user: aUser() });
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Maksa muutos' })).toBeNull();
});

test('a dearer choice leads on to its payment, and what was not answered is the same change', async () => {
  const seen = serve(three, 1);
  server.use(
    http.get(content('/raises/:id/'), () => HttpResponse.json({ raise: waiting })),
    http.get(content('/campaigns/:id/:language/'), () => refusal('unavailable', 503)),
  );
  const { pointer, router } = await renderAt('/profile/me/pledges/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Muuta tukea' }));
  const form = await screen.findByRole('form', { name: 'Muuta tukea' });
  await pointer.click(within(form).getByRole('button', { name: 'Vaihda vastike' }));
  await pointer.click(await within(form).findByRole('radio', { name: /Ensilöylyt/ }));
  await press(pointer, form, /^Maksamaan 58,50/);
  await waitFor(() => expect(seen.sent).toHaveLength(1));
  await press(pointer, form, /^Maksamaan 58,50/);
  await waitFor(() => expect(router.state.location.pathname).toMatch(/\/pay\/$/));
  expect(seen.sent[1]).toEqual(seen.sent[0]);
});

test('a change that was over when it was sent again is another one at the next press', async () => {
  const seen = serve(three, 1);
  const { pointer, form } = await open();
  const pressAgain = () => press(pointer, form, /Muuta ja palauta 45,00/);
  await pointer.click(within(form).getByRole('button', { name: 'Yksi vähemmän' }));
  await pressAgain();
  await waitFor(() => expect(seen.sent).toHaveLength(1));
  server.use(
    http.post(
      content('/pledges/:id/choice/'),
      async ({ request }) => {
        seen.sent.push((await request.json()) as PledgeChoice);
        return refusal('pledge_changed_elsewhere', 409);
      },
      { once: true },
    ),
  );
  await pressAgain();
  expect(await within(form).findByText(/Tukea on juuri muutettu toisaalla/)).toBeVisible();
  await pressAgain();
  expect(await screen.findByText('Tuki on muutettu.')).toBeInTheDocument();
  const [first, again, anew] = seen.sent;
  expect(again).toEqual(first);
  expect(anew).toEqual({ ...first, key: expect.any(String) as string });
  expect(anew?.key).not.toBe(first?.key);
});

test('a change that waits for its payment is paid or given up; the pledge says what it is until then', async () => {
  const seen = serve({ ...three, choice: { state: 'waits', number: 0, raise: waiting } });
  let givenUp = 0;
  server.use(
    http.delete(content('/raises/:id/'), () => {
      givenUp += 1;
      seen.pledge = three;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt('/profile/me/pledges/', { user: aUser() });
  expect(
    await screen.findByText(/Muutos summaan 205,00.€ odottaa maksua 58,50.€ klo 12\.05 saakka/),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Muuta tukea' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Maksa muutos' })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Peru muutos' }));
  expect(await screen.findByRole('button', { name: 'Muuta tukea' })).toBeVisible();
  expect(givenUp).toBe(1);
});

test('a pledge that was charged more than once says each charge', async () => {
  serve({
    ...three,
    choice: {
      ...three.choice,
      number: 1,
      charges: [
        { amount: 100, paid_at: '2026-11-20T11:04:00Z', payment_method: 'Visa ···· 4242' },
        { amount: 46.5, paid_at: '2026-11-21T11:04:00Z' },
      ],
    },
  });
  await renderAt('/profile/me/pledges/', { user: aUser() });
  expect(await screen.findByText(/^100,00.€ veloitettu .*\(Visa ···· 4242\)$/)).toBeVisible();
  expect(screen.getByText(/^46,50.€ veloitettu /)).toBeVisible();
});
