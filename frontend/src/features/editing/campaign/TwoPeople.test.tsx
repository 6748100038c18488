import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts, type ServedCampaign } from '../../../../test/campaignAdmin';
import { serveCampaign } from '../../../../test/campaigns';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const open = () => renderAt('/3/hoyry/edit/', { user: aUser() });
const panel = async (name: string) => within(await screen.findByRole('region', { name }));
/** Somebody else saves a change. */
const meanwhile = (state: ServedCampaign, change: Partial<ServedCampaign['admin']>) => {
  state.admin = { ...state.admin, ...change, version: state.admin.version + 5 };
};
const goal = (title: string, goal_id = 4) => ({
  goal_id,
  target: 50,
  texts: { fi: { title, description: '' } },
});
const withGoal = () =>
  serveEditing(aCampaignAdmin({ opens_as: 6, stage: 0, subscriptions_goals: [goal('Kiuas')] }));

describe('goals', () => {
  const type = async () => {
    const page = await open();
    const goals = await panel('Tavoiteportaat');
    await page.pointer.type(goals.getByRole('textbox', { name: 'Porras 1: nimi' }), '!');
    return { ...page, goals };
  };

  test('are saved with the version that was read', async () => {
    const state = withGoal();
    const { pointer, goals } = await type();
    await pointer.click(goals.getByRole('button', { name: 'Tallenna portaat' }));
    await waitFor(() => expect(state.sent).toMatchObject([{ path: 'goals', upon: '"3"' }]));
    await waitFor(() =>
      expect(goals.queryByRole('button', { name: 'Tallenna portaat' })).not.toBeInTheDocument(),
    );
  });

  test('are saved even if somebody else has changed another part meanwhile', async () => {
    const state = withGoal();
    const { pointer, goals } = await type();
    meanwhile(state, { place: 'Kuopio' });
    await pointer.click(goals.getByRole('button', { name: 'Tallenna portaat' }));
    await waitFor(() => expect(state.sent).toMatchObject([{ path: 'goals', upon: '"8"' }]));
    expect(screen.queryByRole('alert', { name: 'Kaksi versiota' })).not.toBeInTheDocument();
  });

  test.each([
    ['Jätä minun', 'Kiuas!'],
    ['Jätä tämä', 'Hormi'],
  ])('that somebody else has changed, too, are shown in both versions; %s keeps %s', async (choice, kept) => {
    const state = withGoal();
    const { pointer, goals } = await type();
    meanwhile(state, { subscriptions_goals: [goal('Hormi', 9)] });
    await pointer.click(goals.getByRole('button', { name: 'Tallenna portaat' }));
    const question = within(await goals.findByRole('alert', { name: 'Kaksi versiota' }));
    expect(question.getByText('50 · Kiuas!')).toBeVisible();
    expect(question.getByText('50 · Hormi')).toBeVisible();
    expect(state.sent).toEqual([]);
    await pointer.click(question.getByRole('button', { name: choice }));
    await waitFor(() => expect(state.admin.subscriptions_goals[0]?.texts.fi?.title).toBe(kept));
    expect(goals.getByRole('textbox', { name: 'Porras 1: nimi' })).toHaveValue(kept);
  });

  test('that are unsaved on the device do not overwrite what somebody else has saved since', async () => {
    const state = withGoal();
    const { unmount } = await type();
    unmount();
    meanwhile(state, { subscriptions_goals: [goal('Hormi')] });
    await open();
    const goals = await panel('Tavoiteportaat');
    expect(goals.getByRole('alert', { name: 'Kaksi versiota' })).toBeVisible();
    expect(goals.queryByRole('button', { name: 'Tallenna portaat' })).not.toBeInTheDocument();
  });
});

describe('goals of an open campaign', () => {
  const openWith = async (reached: number) => {
    const state = serveEditing(
      aCampaignAdmin({
        opens_as: 6,
        stage: 6,
        subscriptions_goals: [goal('Kiuas'), { ...goal('Hormi', 5), target: 90 }],
      }),
    );
    serveCampaign(aCampaign({ acl: ['view', 'edit'], stage: 6, subscriptions_reached: reached }), []);
    const page = await open();
    return { ...page, state, goals: await panel('Tavoiteportaat') };
  };

  test('that are reached are told with the reason, and only their words are offered', async () => {
    const { pointer, state, goals } = await openWith(60);
    expect(goals.queryByRole('textbox', { name: 'Porras 1: tukijoita' })).not.toBeInTheDocument();
    expect(goals.getByText('Porras 1: tukijoita').closest('dl')).toHaveTextContent('50');
    expect(goals.queryByRole('button', { name: 'Poista porras 1' })).not.toBeInTheDocument();
    expect(goals.getByRole('textbox', { name: 'Porras 2: tukijoita' })).toHaveValue('90');
    expect(goals.getByText('Saavutettu porras ei muutu, koska se on luvattu tukijoille.')).toBeVisible();
    await pointer.type(goals.getByRole('textbox', { name: 'Porras 1: nimi' }), '!');
    await pointer.click(goals.getByRole('button', { name: 'Tallenna portaat' }));
    await waitFor(() =>
      expect(state.admin.subscriptions_goals[0]).toMatchObject({
        target: 50,
        texts: { fi: { title: 'Kiuas!' } },
      }),
    );
  });

  test('one that is reached meanwhile gets its number back, and all other words stay as they were typed', async () => {
    const { pointer, goals } = await openWith(0);
    server.use(
      http.post(content('/campaigns/3/subscriptions_goals/'), () =>
        HttpResponse.json(
          {
            status: 'goal_reached',
            message: 'Tavoite on jo saavutettu.',
            fields: [{ path: 'subscriptions_goals[0].target', rule: 'fixed', message: 'Ei.' }],
          },
          { status: 409 },
        ),
      ),
    );
    await pointer.fill(goals.getByRole('textbox', { name: 'Porras 1: tukijoita' }), '55');
    await pointer.type(goals.getByRole('textbox', { name: 'Porras 2: nimi' }), ' ja piippu');
    await pointer.click(goals.getByRole('button', { name: 'Lisää porras' }));
    await pointer.type(goals.getByRole('textbox', { name: 'Porras 3: tukijoita' }), '200');
    await pointer.type(goals.getByRole('textbox', { name: 'Porras 3: nimi' }), 'Laituri');
    await pointer.click(goals.getByRole('button', { name: 'Tallenna portaat' }));
    await waitFor(() =>
      expect(goals.getByRole('textbox', { name: 'Porras 1: tukijoita' })).toHaveValue('50'),
    );
    expect(goals.getByRole('textbox', { name: 'Porras 2: nimi' })).toHaveValue('Hormi ja piippu');
    expect(goals.getByRole('textbox', { name: 'Porras 3: nimi' })).toHaveValue('Laituri');
  });
});

describe('the team', () => {
  const invite = async (state: ServedCampaign, change: Partial<ServedCampaign['admin']>) => {
    const { pointer } = await open();
    const team = await panel('Tiimi');
    meanwhile(state, change);
    await pointer.fill(team.getByRole('textbox', { name: 'Kutsu sähköpostilla' }), 'aino@example.fi{Enter}');
    return team;
  };

  test('is changed even if somebody else has changed another part meanwhile', async () => {
    const state = serveEditing();
    await invite(state, { place: 'Kuopio' });
    await waitFor(() => expect(state.sent).toMatchObject([{ path: 'admin', upon: '"8"' }]));
  });

  test('that somebody else has changed meanwhile is shown, nothing is sent, and the typed address stays', async () => {
    const state = serveEditing();
    const team = await invite(state, { team: state.admin.team.slice(0, 1) });
    expect(await team.findByText(/Joku muu on muuttanut tietoja/)).toBeVisible();
    expect(team.queryByText('Tuomo')).not.toBeInTheDocument();
    expect(team.getByRole('textbox', { name: 'Kutsu sähköpostilla' })).toHaveValue('aino@example.fi');
    expect(state.sent).toEqual([]);
  });
});

test.each([
  ['forbidden', 403, /ei ole oikeutta/i],
  ['not_found', 404, /ei löyty|ei löydy/i],
])(
  'somebody who was removed from the team meanwhile is told so (%s), and keeps what was typed',
  async (status, code, words) => {
    serveEditing();
    const { pointer, unmount } = await open();
    server.use(http.patch(content('/campaigns/3/language/'), () => refusal(status, code)));
    await pointer.type(await screen.findByRole('textbox', { name: 'Otsikko' }), '!');
    await pointer.tab();
    expect((await screen.findAllByText(words))[0]).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Otsikko' })).toHaveValue('Höyry!');
    unmount();
    expect(window.localStorage.getItem('tk-edit-7-campaign-3')).toContain('Höyry!');
  },
);

test('requests of the page do not overlap: a title waits until the cover’s new version is read', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const alt = await screen.findByRole('textbox', { name: 'Mitä kansikuvassa on' });
  let read: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (read = resolve));
  server.use(
    http.get(content('/campaigns/3/admin/'), async () => {
      await held;
      return HttpResponse.json({ campaign: state.admin });
    }),
  );
  await pointer.fill(alt, 'Lautta');
  await pointer.tab();
  await waitFor(() => expect(state.sent).toHaveLength(1));
  await pointer.type(screen.getByRole('textbox', { name: 'Otsikko' }), '!');
  await pointer.tab();
  expect(await screen.findByText('Tallennetaan…')).toBeVisible();
  read();
  await waitFor(() =>
    expect(state.sent.at(1)).toMatchObject({ upon: '"4"', body: { fi: { title: 'Höyry!' } } }),
  );
  expect(state.crossed).toBe(0);
});

test('an unsaved title does not overwrite somebody else’s, even if another field was saved in between', async () => {
  const state = serveEditing();
  let isDown = true;
  server.use(
    http.patch(content('/campaigns/3/language/'), async ({ request }) => {
      const body = (await request.clone().json()) as { fi: object };
      return isDown && 'title' in body.fi ? refusal('unavailable', 503) : undefined;
    }),
  );
  const { pointer } = await open();
  await pointer.type(await screen.findByRole('textbox', { name: 'Otsikko' }), '!');
  await pointer.tab();
  expect(await screen.findByText(/Ei tallennu juuri nyt/)).toBeVisible();
  meanwhile(state, { texts: { fi: someTexts({ title: 'Saunalautta' }) } });
  await pointer.fill(screen.getByRole('textbox', { name: 'Mitä kansikuvassa on' }), 'Lautta');
  await pointer.tab();
  await waitFor(() => expect(state.sent).toHaveLength(1));
  isDown = false;
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('alert', { name: 'Kaksi versiota' })).toBeVisible();
  expect(state.admin.texts.fi?.title).toBe('Saunalautta');
});

describe('a review', () => {
  const ask = async () => {
    let asked = 0;
    server.use(
      http.post(content('/campaigns/3/review/'), () => {
        asked += 1;
        return refusal('unavailable', 503);
      }),
    );
    const { pointer } = await open();
    const title = await screen.findByRole('textbox', { name: 'Otsikko' });
    // Found before: looking for it takes so long that the text would be saved meanwhile.
    const request = screen.getByRole('button', { name: 'Pyydä tarkistusta' });
    await pointer.type(title, '!');
    await pointer.click(request);
    return { pointer, asked: () => asked };
  };

  test.each([
    [401, /koska istuntosi päättyi/],
    [503, /koska kaikki ei ole vielä tallessa/],
  ])('is not requested if saving fails with %s, and the page says why', async (status, words) => {
    const state = serveEditing();
    state.refuse = status;
    const { asked } = await ask();
    expect(await screen.findByText(words)).toBeVisible();
    expect(asked()).toBe(0);
  });

  test('is not requested while a text is rejected, and the page leads to it', async () => {
    serveEditing();
    server.use(
      http.patch(content('/campaigns/3/language/'), () =>
        refusal('invalid_fields', 422, {
          fields: [{ path: 'fi.title', rule: 'max_length', params: { max: 60 }, message: 'x' }],
        }),
      ),
    );
    const { pointer, asked } = await ask();
    expect(await screen.findByText(/yhtä kohtaa ei voitu tallentaa/)).toBeVisible();
    await pointer.click(screen.getByRole('button', { name: 'Näytä kohta' }));
    expect(screen.getByRole('textbox', { name: 'Otsikko' })).toHaveFocus();
    expect(asked()).toBe(0);
  });

  test('is not requested during a conflict, and the page says so', async () => {
    const state = serveEditing();
    server.use(
      // Each time, as the server does: the page may have asked for the campaign before somebody else changed it.
      http.patch(content('/campaigns/3/language/'), () => {
        state.admin = {
          ...state.admin,
          version: 9,
          texts: { fi: { ...state.admin.texts.fi!, title: 'Saunalautta' } },
        };
        return refusal('changed_meanwhile', 412);
      }),
    );
    const { asked } = await ask();
    expect(await screen.findByText(/Valitse ensin, kumpi versio jää/)).toBeVisible();
    expect(asked()).toBe(0);
  });
});

test('a variation is sent with the version that was read; one that somebody else has added is shown', async () => {
  const state = serveEditing();
  const sent: unknown[] = [];
  server.use(
    http.post(content('/campaigns/3/content_variations/'), async ({ request }) => {
      sent.push(await request.json());
      expect(request.headers.get('If-Match')).toBe('"3"');
      meanwhile(state, {
        content_experiment: {
          field: 'title',
          language: 'fi',
          started_at: '2026-11-20T10:00:00Z',
          visitors: 0,
          paid: 0,
          missing: 100,
          conclusive: false,
          variations: [
            { variation: 0, letter: 'A', value: 'Höyry', visitors: 0, paid: 0 },
            { variation: 7, letter: 'B', value: 'Lautta', visitors: 0, paid: 0 },
          ],
        },
      });
      return refusal('changed_meanwhile', 412);
    }),
  );
  const { pointer } = await open();
  const trial = await panel('Kokeile toista sanaa tai kantta');
  await pointer.fill(trial.getByRole('textbox', { name: 'Toinen teksti: Suomi' }), 'Kiuas{Enter}');
  expect(await trial.findByText('Lautta')).toBeVisible();
  expect(await trial.findByText(/Joku muu on muuttanut tietoja/)).toBeVisible();
  expect(trial.getByRole('textbox', { name: 'Toinen teksti: Suomi' })).toHaveValue('Kiuas');
  expect(sent).toEqual([{ field: 'tagline', language: 'fi', value: 'Kiuas' }]);
});

test('a variation without words is not sent, and its field says what is missing', async () => {
  serveEditing();
  const sent = jest.fn();
  server.use(http.post(content('/campaigns/3/content_variations/'), sent));
  const { pointer } = await open();
  const words = (await panel('Kokeile toista sanaa tai kantta')).getByRole('textbox', {
    name: 'Toinen teksti: Suomi',
  });
  for (const nothing of ['{Enter}', '   {Enter}']) {
    await pointer.type(words, nothing);
    await waitFor(() => expect(words).toHaveAccessibleDescription('Tämä tarvitaan.'));
  }
  expect(sent).not.toHaveBeenCalled();
});
