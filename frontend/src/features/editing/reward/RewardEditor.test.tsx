import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aReward, aUser } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { renderPart } from '../../../../test/part';
import { aRewardAdmin } from '../../../../test/rewards';
import { content, refusal, server } from '../../../../test/server';
import type { RewardAdmin, RewardChange, RewardLanguageChange } from '../../../api/editing';
import { signedIn } from '../../../api/session';
import { unsavedReward } from './unsavedReward';
import { RewardEditor } from './RewardEditor';

// The form has about a hundred controls, and queries by role are slow in jsdom.
jest.setTimeout(30_000);

/** Serves two rewards, and records the changes of the first. */
function serveReward(first: RewardAdmin = aRewardAdmin()) {
  const state = {
    reward: first,
    changes: [] as RewardChange[],
    texts: [] as RewardLanguageChange[],
    refuse: undefined as (() => Response) | undefined,
  };
  const answer = (request: Request, next: () => Partial<RewardAdmin>) => {
    if (state.refuse) return state.refuse();
    if (request.headers.get('If-Match') !== `"${state.reward.version}"`)
      return refusal('changed_meanwhile', 412);
    state.reward = { ...state.reward, ...next(), version: state.reward.version + 1 };
    return HttpResponse.json({ reward: state.reward });
  };
  server.use(
    http.get(content('/campaigns/3/rewards/fi/'), () =>
      HttpResponse.json({
        rewards: [aReward(), aReward({ reward_id: 6, amount: 60, title: 'Kirves ja halonhakkuu' })],
      }),
    ),
    http.get(content('/rewards/5/admin/'), () => HttpResponse.json({ reward: state.reward })),
    http.get(content('/rewards/6/admin/'), () =>
      HttpResponse.json({
        reward: aRewardAdmin({ reward_id: 6, backers: 0, stock_reserved: 0, bought: [] }),
      }),
    ),
    http.patch(content('/rewards/5/'), async ({ request }) => {
      const change = (await request.json()) as RewardChange;
      return answer(request, () => {
        state.changes.push(change);
        return { ...state.reward, ...change } as RewardAdmin;
      });
    }),
    http.patch(content('/rewards/5/language/'), async ({ request }) => {
      const change = (await request.json()) as RewardLanguageChange;
      return answer(request, () => {
        state.texts.push(change);
        const { texts } = state.reward;
        const fi = { ...texts.fi!, ...change.fi } as typeof texts.fi;
        return { texts: { ...texts, fi } };
      });
    }),
  );
  return state;
}

async function open(options = {}) {
  const onClose = jest.fn();
  const page = await renderPart(
    <RewardEditor campaignId={3} userId={7} rewardId={5} isNewShown language="fi" onClose={onClose} />,
    {
      user: aUser({ scope: ['edit'] }),
      ...options,
    },
  );
  await screen.findByLabelText('Nimi: Suomi');
  return { ...page, onClose };
}

const button = (name: string) => screen.getByRole('button', { name });

test('only what was changed is saved, and only when the save button is pressed', async () => {
  const state = serveReward();
  const { pointer } = await open();
  await pointer.type(screen.getByLabelText('Nimi: Suomi'), '!');
  await pointer.clear(screen.getByLabelText('Varasto'));
  await pointer.type(screen.getByLabelText('Varasto'), '90');
  expect(screen.getByText('2 muutosta tallentamatta, muistissa tällä laitteella')).toBeVisible();
  expect(state.changes).toEqual([]);
  await pointer.click(button('Tallenna vastike'));
  expect(await screen.findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.texts).toEqual([{ fi: { title: 'Iltavuoro kahdelle!' } }]);
  expect(state.changes).toEqual([{ stock: 90 }]);
});

test('a delivery is one month or a range of months', async () => {
  const state = serveReward(aRewardAdmin({ delivery: '' }));
  const { pointer } = await open();
  expect(screen.queryByLabelText('Viimeistään')).not.toBeInTheDocument();
  await pointer.selectOptions(screen.getByLabelText('Toimitus'), '2027-05');
  const last = screen.getByLabelText('Viimeistään');
  expect(within(last).queryByRole('option', { name: 'toukokuu 2027' })).not.toBeInTheDocument();
  await pointer.selectOptions(last, '2027-09');
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(state.changes).toEqual([{ delivery: '2027-05/2027-09' }]));
  // A first month that is not before the last replaces the range.
  await pointer.selectOptions(screen.getByLabelText('Toimitus'), '2027-10');
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(state.changes.at(-1)).toEqual({ delivery: '2027-10' }));
});

test('what is typed during a save stays, and is saved with the next press', async () => {
  const state = serveReward();
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  server.use(
    http.patch(content('/rewards/5/language/'), async () => {
      await held;
      return undefined; // Falls through to the handler of serveReward.
    }),
  );
  const { pointer } = await open();
  const name = screen.getByLabelText('Nimi: Suomi');
  await pointer.type(name, '!');
  await pointer.click(button('Tallenna vastike'));
  await pointer.type(name, '?');
  answer();
  expect(await screen.findByText('Yksi muutos tallentamatta, muistissa tällä laitteella')).toBeVisible();
  await waitFor(() => expect(state.texts).toEqual([{ fi: { title: 'Iltavuoro kahdelle!' } }]));
  await waitFor(() => expect(button('Tallenna vastike')).not.toHaveAttribute('aria-disabled'));
  expect(name).toHaveValue('Iltavuoro kahdelle!?');
  await pointer.click(button('Tallenna vastike'));
  expect(await screen.findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.texts.at(-1)).toEqual({ fi: { title: 'Iltavuoro kahdelle!?' } });
});

test('a stock below what is reserved is reported at the field while typing, and not sent', async () => {
  const state = serveReward();
  const { pointer } = await open();
  const stock = screen.getByLabelText('Varasto');
  await pointer.clear(stock);
  await pointer.type(stock, '80');
  expect(stock).toHaveAccessibleDescription('86 on jo varattu. Varasto voi olla vähintään 86.');
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(stock).toHaveFocus());
  expect(state.changes).toEqual([]);
});

test('a reward that was bought shows its earlier versions and cannot be deleted', async () => {
  serveReward();
  const { pointer } = await open();
  expect(screen.getByText('86 tukijaa pitää sen, minkä osti')).toBeVisible();
  await pointer.click(button('Näytä ostettu'));
  expect(screen.getByText(/Kolme tuntia, puut ja pyyhkeet/)).toBeVisible();
  expect(
    screen.getByText('Poistaa ei voi, koska 86 tukijaa on maksanut tästä. Piilottaminen riittää.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Poista vastike' })).not.toBeInTheDocument();
});

test('removing a question says which one is renumbered, and can be undone', async () => {
  const state = serveReward();
  const { pointer } = await open();
  const questions = screen.getByRole('region', { name: 'Kysymykset' });
  await pointer.click(within(questions).getByRole('button', { name: 'Poista kysymys 2' }));
  expect(questions).toHaveTextContent('Poistit kysymyksen ”Onko allergioita?”. Entinen 3 on nyt 2.');
  expect(within(questions).getByLabelText('Kysymys 2: Suomi')).toHaveValue('Tarvitsetko rampin?');
  await pointer.click(within(questions).getByRole('button', { name: 'Kumoa' }));
  expect(within(questions).getByLabelText('Kysymys 2: Suomi')).toHaveValue('Onko allergioita?');
  await pointer.click(within(questions).getByRole('button', { name: 'Poista kysymys 2' }));
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(state.texts).toHaveLength(1));
  expect(state.texts[0]?.fi?.custom_questions?.map(({ text }) => text)).toEqual([
    'ask_for_address',
    'Tarvitsetko rampin?',
  ]);
});

test('closing an unsaved form asks first, and the form is restored when it is opened again', async () => {
  serveReward();
  const { pointer, onClose, unmount } = await open();
  await pointer.type(screen.getByLabelText('Nimi: Suomi'), '!');
  await pointer.keyboard('{Escape}');
  const dialog = await screen.findByRole('dialog', { name: 'Jätetäänkö muutokset tallentamatta?' });
  expect(onClose).not.toHaveBeenCalled();
  await pointer.click(within(dialog).getByRole('button', { name: 'Poistu' }));
  expect(onClose).toHaveBeenCalled();
  unmount();
  await open();
  expect(screen.getByLabelText('Nimi: Suomi')).toHaveValue('Iltavuoro kahdelle!');
  expect(screen.getByText('Yksi muutos tallentamatta, muistissa tällä laitteella')).toBeVisible();
});

test('a session that expires during a save loses nothing', async () => {
  const state = serveReward();
  const { pointer, store } = await open();
  await pointer.type(screen.getByLabelText('Nimi: Suomi'), '!');
  state.refuse = () => refusal('token_expired', 401);
  await pointer.click(button('Tallenna vastike'));
  expect(await screen.findByText('Istuntosi on päättynyt. Kirjaudu uudelleen.')).toBeInTheDocument();
  state.refuse = undefined;
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  await waitFor(() => expect(screen.getByLabelText('Nimi: Suomi')).toHaveValue('Iltavuoro kahdelle!'));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /Kirjaudu/ })).not.toBeInTheDocument());
});

test('when two people edit, the other version is shown before it is overwritten', async () => {
  const state = serveReward();
  const { pointer } = await open();
  await pointer.type(screen.getByLabelText('Nimi: Suomi'), '!');
  state.reward = aRewardAdmin({ version: 9, amount: 50 });
  await pointer.click(button('Tallenna vastike'));
  const choice = await screen.findByRole('alert', { name: 'Kaksi versiota' });
  expect(within(choice).getByText(/50.€/)).toBeVisible();
  await pointer.click(within(choice).getByRole('button', { name: 'Jätä tämä' }));
  expect(screen.getByLabelText('Hinta')).toHaveValue('50');
  expect(screen.getByLabelText('Nimi: Suomi')).toHaveValue('Iltavuoro kahdelle');
});

test('a button leads to the next reward; one that nobody has bought can be deleted', async () => {
  serveReward();
  let isDeleted = false;
  server.use(
    http.delete(content('/rewards/6/'), () => {
      isDeleted = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer, onClose } = await open();
  await waitFor(() => expect(button('Seuraava vastike')).toBeEnabled());
  await pointer.click(button('Seuraava vastike'));
  await pointer.click(await screen.findByRole('button', { name: 'Poista vastike' }));
  const dialog = await screen.findByRole('dialog', { name: 'Poistetaanko vastike?' });
  await pointer.click(within(dialog).getByRole('button', { name: 'Poista vastike' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(isDeleted).toBe(true);
});

test('the preview shows what is typed', async () => {
  serveReward();
  const { pointer } = await open();
  const card = screen.getByRole('complementary', { name: 'Näin tukija sen näkee' });
  await pointer.clear(screen.getByLabelText('Hinta'));
  await pointer.type(screen.getByLabelText('Hinta'), '52');
  expect(card).toHaveTextContent(/52.€/);
  expect(card).toHaveTextContent('14 jäljellä');
});

test('a new reward can be begun, and is kept, when the session has ended', async () => {
  serveReward();
  const { pointer } = await renderPart(
    <RewardEditor campaignId={3} userId={7} isNewShown language="fi" onClose={() => undefined} />,
  );
  await pointer.fill(await screen.findByLabelText('Nimi: Suomi'), 'Saunavuoro');
  expect(unsavedReward(7, { reward_id: 0, campaign_id: 3 }).read()?.parts.form?.title.fi).toBe('Saunavuoro');
});

/** Serves the creation of a reward, whose first answer is lost; gives the keys that were sent. */
function serveCreation(fail: (n: number) => Response | undefined) {
  const keys: (string | null)[] = [];
  server.use(
    http.post(content('/campaigns/3/rewards/'), ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return fail(keys.length) ?? HttpResponse.json({ reward: { reward_id: 5, version: 1 } });
    }),
  );
  return keys;
}
async function typeNew() {
  const page = await renderPart(
    <RewardEditor campaignId={3} userId={7} isNewShown={false} language="fi" onClose={() => undefined} />,
    { user: aUser({ scope: ['edit'] }) },
  );
  await page.pointer.fill(await screen.findByLabelText('Nimi: Suomi'), 'Saunavuoro');
  return page;
}
const keptAs = (reward_id: number) => unsavedReward(7, { reward_id, campaign_id: 3 }).read();

test('a new reward whose creation has no answer is created once, also after a reload, and then kept by its own id', async () => {
  const state = serveReward(aRewardAdmin({ version: 1, texts: {} }));
  const keys = serveCreation((n) => (n === 1 ? HttpResponse.error() : undefined));
  const first = await typeNew();
  await first.pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(keys).toHaveLength(1));
  await waitFor(() => expect(button('Tallenna vastike')).not.toHaveAttribute('aria-disabled'));
  expect(keptAs(0)?.parts.form?.title.fi).toBe('Saunavuoro');
  first.unmount();

  state.refuse = () => refusal('unavailable', 503);
  const { pointer } = await renderPart(
    <RewardEditor campaignId={3} userId={7} isNewShown={false} language="fi" onClose={() => undefined} />,
    { user: aUser({ scope: ['edit'] }) },
  );
  expect(await screen.findByLabelText('Nimi: Suomi')).toHaveValue('Saunavuoro');
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(keptAs(5)?.parts.form?.title.fi).toBe('Saunavuoro'));
  expect(keys[1]).toBe(keys[0]);
  expect(keptAs(0)).toBeUndefined();
});

test('after a refused creation the next press has another key', async () => {
  serveReward(aRewardAdmin({ version: 1, texts: {} }));
  const keys = serveCreation((n) => (n === 1 ? refusal('too_many_rewards', 409) : undefined));
  const { pointer } = await typeNew();
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(keys).toHaveLength(1));
  await waitFor(() => expect(button('Tallenna vastike')).not.toHaveAttribute('aria-disabled'));
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).not.toBe(keys[0]);
});

test('what a lost connection has not saved is never sent by itself; words that were taken before are not a change any more', async () => {
  const state = serveReward();
  let isDown = true;
  server.use(http.patch(content('/rewards/5/'), () => (isDown ? HttpResponse.error() : undefined)));
  const { pointer } = await open();
  await pointer.type(screen.getByLabelText('Nimi: Suomi'), '!');
  await pointer.clear(screen.getByLabelText('Hinta'));
  await pointer.type(screen.getByLabelText('Hinta'), '52');
  await pointer.click(button('Tallenna vastike'));
  await waitFor(() => expect(state.texts).toEqual([{ fi: { title: 'Iltavuoro kahdelle!' } }]));
  await waitFor(() => expect(button('Tallenna vastike')).not.toHaveAttribute('aria-disabled'));
  isDown = false;
  act(() => void window.dispatchEvent(new Event('online')));
  expect(keptAs(5)?.parts.form?.amount).toBe('52');
  expect(state.changes).toEqual([]);
  await pointer.click(button('Tallenna vastike'));
  expect(await screen.findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.changes).toEqual([{ amount: 52 }]);
  expect(state.texts).toHaveLength(1);
  expect(keptAs(5)).toBeUndefined();
});
