import { notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aReward } from '../../../test/builders';
import { installProvider } from '../../../test/cardForm';
import {
  fillIn,
  fillInAddress,
  fullReward,
  open,
  payButton,
  plainReward,
  put,
  serve,
} from '../../../test/checkout';
import { content, server } from '../../../test/server';
import type { Reward } from '../../api/content';
import { carryOver } from './form/carryOver';
import { initialValues } from './form/values';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

beforeAll(() => {
  installProvider();
});
afterEach(() => {
  window.sessionStorage.clear();
  notifications.clean();
});

/** The creator changes the reward while its form is open: the server refuses a pledge for the version shown. */
function changeTo(changed: Reward) {
  server.use(
    http.get(content('/campaigns/3/rewards/:language/'), () => HttpResponse.json({ rewards: [changed] })),
    http.post(
      content('/campaigns/3/pledges/'),
      () => HttpResponse.json({ status: 'reward_changed' }, { status: 409 }),
      { once: true },
    ),
  );
}

test('after a change of the reward the new one is shown with what was typed, and a second press pays it', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/5');
  await fillIn(app);
  await app.pointer.click(screen.getByRole('radio', { name: /Avainkortti kirjeenä/ }));
  await fillInAddress(app);
  await put(app, /Vapaa lisä/, '3');
  const [pickUp, letter] = fullReward.added_costs;
  changeTo({
    ...fullReward,
    reward_version: 2,
    amount: 50,
    added_costs: [{ ...letter!, amount: 8 }, pickUp!],
  });
  await app.pointer.click(payButton(/Maksa 54,50/));

  const told = await screen.findByText(/Summa on nyt 61,00/);
  expect(told).toHaveAttribute('role', 'status');
  expect(told).toHaveTextContent('Tekijä on muuttanut tätä vastiketta.');
  expect(screen.getAllByText(/Mitään ei veloitettu/)[0]).toBeVisible();
  expect(sent.pledges).toEqual([]);
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  expect(screen.getByLabelText('Katuosoite')).toHaveValue('Opintie 14 B 3');
  expect(screen.getByLabelText(/Vapaa lisä/)).toHaveValue('3');
  expect(screen.getByRole('radio', { name: /Avainkortti kirjeenä/ })).toBeChecked();

  await app.pointer.click(payButton(/Maksa 61,00/));
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body).toMatchObject({
    amount: 61,
    reward_version: 2,
    pledge_meta: { added_cost: 0, email: 'leena@example.fi' },
  });
});

test('a reward that was changed before a reload is announced, too, and keeps the chosen added cost', async () => {
  serve();
  const app = await open('/3/hoyry/pledge/5');
  await app.pointer.click(screen.getByRole('radio', { name: /Avainkortti kirjeenä/ }));
  app.unmount();
  const costs = [...fullReward.added_costs].reverse();
  serve([{ ...fullReward, reward_version: 2, added_costs: costs }]);
  await open('/3/hoyry/pledge/5');
  expect(await screen.findByText(/Tekijä on muuttanut tätä vastiketta/)).toBeVisible();
  expect(screen.getByRole('radio', { name: /Avainkortti kirjeenä/ })).toBeChecked();
});

test('the version that the page has read goes with the pledge', async () => {
  const sent = serve([{ ...plainReward, reward_version: 7 }]);
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  await app.pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body).toMatchObject({ reward_id: 4, reward_version: 7 });
});

const asking = (...texts: string[]) =>
  aReward({ custom_questions: texts.map((text, i) => ({ key: `custom_question_${i + 1}`, text })) });

test.each<[string, string[], string[]]>([
  ['a question is removed', ['Väri?'], ['sininen']],
  ['questions change places', ['Väri?', 'Koko?'], ['sininen', 'M']],
  ['a question is reworded', ['Paidan koko?', 'Väri?'], ['M', 'sininen']],
  ['a question is added', ['Nimi?', 'Koko?', 'Väri?'], ['', 'M', 'sininen']],
])('answers follow their questions when %s', (_, now, kept) => {
  const before = asking('Koko?', 'Väri?');
  const values = {
    ...initialValues([before], null, undefined),
    question_5_custom_question_1: 'M',
    question_5_custom_question_2: 'sininen',
  };
  const moved = carryOver(values, before, asking(...now));
  expect(now.map((_text, i) => moved[`question_5_custom_question_${i + 1}`])).toEqual(kept);
});

test('if the chosen added cost is gone, the one at its position is chosen', () => {
  const before = aReward({
    added_costs: [
      { amount: 0, description: 'A' },
      { amount: 1, description: 'B' },
    ],
  });
  const after = aReward({
    added_costs: [
      { amount: 0, description: 'A' },
      { amount: 1, description: 'By post' },
    ],
  });
  const values = { ...initialValues([before], null, undefined), added_cost: 1 };
  expect(carryOver(values, before, after).added_cost).toBe(1);
});
