import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPreview, aReward, aUser } from '../../../../test/builders';
import { failing, serveCampaign } from '../../../../test/campaigns';
import { openMenu } from '../../../../test/menu';
import {
  aCampaignInReview,
  aReview,
  aReviewedPart,
  aReviewNote,
  someReviewChanges,
} from '../../../../test/review';
import { someParts, someTexts } from '../../../../test/campaignAdmin';
import { renderPart } from '../../../../test/part';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { CampaignAdmin, ReviewDecision } from '../../../api/editing';
import { CreatorReview } from './CreatorReview';
import { PartNotes } from './PartNotes';
import { layout } from './ReviewedCampaign';

const staff = aUser({ user_id: 1, scope: ['view', 'edit', 'admin'] });
const decisions = content('/campaigns/3/review/decisions/');

function serve(admin: CampaignAdmin = aCampaignInReview(), changes = someReviewChanges()) {
  const campaign = aCampaign({
    acl: ['view', 'edit', 'admin'],
    stage: 0,
    html_description: '<p>Katolle ei saa mennä.</p><p>Ylös menee kuusi kerrallaan.</p>',
  });
  serveCampaign(campaign, [aReward()]);
  server.use(
    http.get(content('/campaigns/3/admin/'), () => HttpResponse.json({ campaign: admin })),
    http.get(content('/campaigns/3/review/changes/'), () => HttpResponse.json(changes)),
    http.get(content('/campaigns/review/fi/'), () =>
      HttpResponse.json({
        changed: [],
        total: 2,
        reviews: [
          { campaign: aPreview({ campaign_id: 8, title: 'Leipä' }), round: 1, ...asked },
          { campaign, round: 1, ...asked },
        ],
      }),
    ),
  );
}
const asked = { asked_at: '2026-11-19T14:40:00Z', asked_by: 'Pekka Ruotsalainen', answer_by: '2026-11-23' };

async function open() {
  const page = await renderAt('/3/hoyry/review/', { user: staff });
  await screen.findByRole('heading', { name: 'Sinun arvioitavasi' });
  return page;
}

async function note(pointer: Awaited<ReturnType<typeof open>>['pointer'], part: string, text: string) {
  await pointer.click(screen.getByRole('button', { name: `Huomio: ${part}` }));
  await pointer.type(screen.getByRole('textbox', { name: `Huomio kohdasta ${part}` }), text);
  await pointer.click(screen.getByRole('button', { name: 'Tallenna huomio' }));
}

test('notes are sent with the decision, those on the story with the selected words', async () => {
  serve();
  const { pointer } = await open();
  await note(pointer, 'Kansikuva', 'Kuka kuvassa on?');
  const words = screen.getByText('Ylös menee kuusi kerrallaan.').firstChild!;
  window.getSelection()!.setBaseAndExtent(words, 11, words, 16);
  // A click in a browser keeps the selection; user-event's would clear it.
  fireEvent.click(screen.getByRole('button', { name: 'Huomio: Tarina' }));
  expect(await screen.findByText('Kohta: ”kuusi”')).toBeVisible();
  await pointer.fill(screen.getByRole('textbox', { name: 'Huomio kohdasta Tarina' }), 'Kuka valvoo?');
  await pointer.click(screen.getByRole('button', { name: 'Tallenna huomio' }));

  let sent: ReviewDecision | undefined;
  let show: (() => void) | undefined;
  const shown = new Promise<void>((resolve) => (show = resolve));
  server.use(
    http.post(decisions, async ({ request }) => {
      sent = (await request.json()) as ReviewDecision;
      return HttpResponse.json({ review: aReview({ state: 'changes_requested' }), stage: 0, version: 2 });
    }),
    http.get(content('/campaigns/3/admin/'), async () => {
      await shown;
      return HttpResponse.json({
        campaign: aCampaignInReview({ review: aReview({ state: 'changes_requested' }) }),
      });
    }),
  );
  await pointer.click(screen.getByRole('button', { name: 'Pyydä muutoksia, 2 huomiota' }));
  await waitFor(() =>
    expect(sent).toEqual({
      decision: 'ask_for_changes',
      seen: { title: 'd1' },
      notes: [
        { part: 'cover', text: 'Kuka kuvassa on?' },
        { part: 'story', text: 'Kuka valvoo?', quote: 'kuusi' },
      ],
    }),
  );
  // What was sent back is not decided about again while that is being read.
  expect(screen.getByRole('button', { name: 'Hyväksy' })).toBeDisabled();
  show?.();
  expect((await screen.findAllByText('Muutoksia pyydetty')).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Hyväksy' })).not.toBeInTheDocument();
});

test('the words that a note quotes are highlighted, and no longer when the page is left', async () => {
  const marked = new Map<string, readonly Range[]>();
  class FakeHighlight extends Array<Range> {}
  Object.assign(globalThis, { Highlight: FakeHighlight, CSS: { ...globalThis.CSS, highlights: marked } });
  serve();
  const { unmount } = await open();
  const words = screen.getByText('Ylös menee kuusi kerrallaan.').firstChild!;
  window.getSelection()!.setBaseAndExtent(words, 11, words, 16);
  fireEvent.click(screen.getByRole('button', { name: 'Huomio: Tarina' }));
  await screen.findByText('Kohta: ”kuusi”');
  await waitFor(() => expect(marked.get('tk-review-quote')?.map(String)).toEqual(['kuusi']));
  unmount();
  expect(marked.size).toBe(0);
});

test('notes can be about the video and the whole page, too', async () => {
  serve();
  let sent: ReviewDecision | undefined;
  server.use(
    http.post(decisions, async ({ request }) => {
      sent = (await request.json()) as ReviewDecision;
      return HttpResponse.json({ review: aReview({ state: 'changes_requested' }), stage: 0, version: 2 });
    }),
  );
  const { pointer } = await open();
  await note(pointer, 'Video', 'Ääni puuttuu.');
  await note(pointer, 'Koko sivu', 'Lyhennä.');
  await pointer.click(screen.getByRole('button', { name: 'Pyydä muutoksia, 2 huomiota' }));
  await waitFor(() =>
    expect(sent?.notes).toEqual([
      { part: 'video', text: 'Ääni puuttuu.' },
      { part: 'whole', text: 'Lyhennä.' },
    ]),
  );
});

test('by keyboard: saving, canceling and deleting a note and approving never lose the focus', async () => {
  serve();
  let isApproved = false;
  server.use(
    http.post(decisions, () => {
      isApproved = true;
      return HttpResponse.json({ review: aReview({ state: 'approved' }), stage: 1, version: 2 });
    }),
    http.get(content('/campaigns/3/admin/'), () =>
      HttpResponse.json({
        campaign: aCampaignInReview(
          isApproved ? { stage: 1, review: aReview({ state: 'approved' }) } : undefined,
        ),
      }),
    ),
  );
  const { pointer } = await open();
  const begin = screen.getByRole('button', { name: 'Huomio: Kansikuva' });
  act(() => begin.focus());
  await pointer.keyboard('{Enter}');
  await pointer.keyboard('Kuka kuvassa on?{Control>}{Enter}{/Control}');
  expect(screen.getByRole('button', { name: 'Muokkaa huomiota 1' })).toHaveFocus();
  act(() => begin.focus());
  await pointer.keyboard('{Enter}{Tab}{Tab}{Enter}');
  expect(begin).toHaveFocus();
  act(() => screen.getByRole('button', { name: 'Poista huomio 1' }).focus());
  await pointer.keyboard('{Enter}');
  expect(screen.getByRole('heading', { name: /^Huomiot tekijälle/ })).toHaveFocus();
  await pointer.click(screen.getByRole('checkbox', { name: 'Riskit kerrotaan suoraan' }));
  act(() => screen.getByRole('button', { name: 'Hyväksy' }).focus());
  await pointer.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Tarkistus' })).toHaveFocus());
});

test('changes cannot be requested without a note', async () => {
  serve();
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Pyydä muutoksia' }));
  expect(screen.getByText(/tarvitsee ainakin yhden huomion/)).toBeVisible();
});

test.each([
  ['somebody else decided first', 409, 'review_moved', /Tarkistuksen tila on jo toinen/],
  ['the connection drops', 500, 'internal_error', /./],
])('a failed decision keeps the notes: %s', async (_, status, code, text) => {
  serve();
  server.use(http.post(decisions, () => refusal(code, status)));
  const { pointer } = await open();
  await note(pointer, 'Otsikko', 'Liian pitkä.');
  await pointer.click(screen.getByRole('button', { name: 'Pyydä muutoksia, 1 huomio' }));
  await waitFor(() =>
    expect(screen.getAllByRole('alert').some((one) => text.test(one.textContent))).toBe(true),
  );
  expect(screen.getByText('Liian pitkä.')).toBeVisible();
});

test('a reload restores notes, ticks and the note that was being written', async () => {
  serve();
  const first = await open();
  await note(first.pointer, 'Otsikko', 'Liian pitkä.');
  await first.pointer.click(screen.getByRole('checkbox', { name: 'Riskit kerrotaan suoraan' }));
  await first.pointer.click(screen.getByRole('button', { name: 'Huomio: Kansikuva' }));
  await first.pointer.fill(screen.getByRole('textbox', { name: 'Huomio kohdasta Kansikuva' }), 'Kesken');
  first.unmount();
  await open();
  expect(screen.getByText('Liian pitkä.')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Riskit kerrotaan suoraan' })).toBeChecked();
  expect(screen.getByRole('textbox', { name: 'Huomio kohdasta Kansikuva' })).toHaveValue('Kesken');
});

test.each([
  ['are in the team', 'team', /Olet tai olet ollut tämän kampanjan tiimissä, joten siitä päättää joku muu/],
  ['asked for the review', 'asker', /Pyysit itse tätä tarkistusta, joten siitä päättää joku muu/],
] as const)('staff who %s are told that somebody else decides', async (_, barred, text) => {
  serve(aCampaignInReview({ review: aReview({ barred }) }));
  await renderAt('/3/hoyry/review/', { user: staff });
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Hyväksy' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Huomio:/ })).not.toBeInTheDocument();
});

test('rewards that cannot be read are not “no rewards”, and can be read again', async () => {
  serve();
  const gate = failing('/campaigns/3/rewards/fi/');
  const { pointer } = await open();
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  expect(screen.queryByText('0')).not.toBeInTheDocument();
  gate.open();
  await pointer.click(again);
  expect(await screen.findByRole('heading', { name: aReward().title })).toBeVisible();
});

test('a language that cannot be read is not one without texts, and the other’s rewards do not stand for it', async () => {
  serve();
  server.use(http.get(content('/campaigns/3/rewards/sv/'), () => HttpResponse.json({ rewards: [] })));
  const { pointer } = await open();
  expect(await screen.findByRole('heading', { name: aReward().title })).toBeVisible();
  server.use(
    http.get(content('/campaigns/3/sv/'), () =>
      HttpResponse.json({ campaign: aCampaign({ language: 'sv', title: 'Ånga' }), acl: [] }),
    ),
  );
  const gate = failing('/campaigns/3/sv/');
  await pointer.click(screen.getByRole('radio', { name: 'Svenska' }));
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  expect(screen.queryByText('Tällä kielellä ei ole tekstiä.')).not.toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: aReward().title })).not.toBeInTheDocument();
  gate.open();
  await pointer.click(again);
  expect(await screen.findByRole('heading', { level: 1, name: 'Ånga' })).toBeVisible();
});

test('the bar links to the neighbours in the list, and the menu says how many reviews are waiting', async () => {
  serve();
  const { pointer } = await open();
  expect(await screen.findByText('2 / 2')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Edellinen: Leipä' })).toHaveAttribute('href', '/8/hoyry/review/');
  const menu = await openMenu(pointer);
  expect(await menu.findByRole('menuitem', { name: /^Tarkistettavana.*2$/ })).toHaveAttribute(
    'href',
    '/review/',
  );
});

test('the list says which campaigns the user may not decide on, and why', async () => {
  serve();
  server.use(
    http.get(content('/campaigns/review/fi/'), () =>
      HttpResponse.json({
        changed: [
          { campaign: aPreview({ campaign_id: 11, title: 'Piano' }), changed_at: '2026-11-20T10:00:00Z' },
        ],
        total: 3,
        reviews: [
          { campaign: aPreview({ campaign_id: 8, title: 'Leipä' }), round: 1, barred: 'team', ...asked },
          { campaign: aPreview({ campaign_id: 9, title: 'Soutu' }), round: 2, barred: 'asker', ...asked },
          { campaign: aPreview({ campaign_id: 10, title: 'Katto' }), round: 1, ...asked },
        ],
      }),
    ),
  );
  await renderAt('/review/', { user: staff });
  const row = async (title: string) => within((await screen.findByText(title)).closest('li')!);
  expect((await row('Leipä')).getByText('Olet tai olet ollut tiimissä')).toBeVisible();
  expect((await row('Soutu')).getByText('Pyysit tarkistusta itse')).toBeVisible();
  expect((await row('Katto')).queryByText(/tiimissä|itse/)).not.toBeInTheDocument();
  expect((await row('Piano')).getByRole('link', { name: 'Katso muutokset: Piano' })).toHaveAttribute(
    'href',
    '/11/hoyry/review/',
  );
});

test('the page has every part that visitors will see', async () => {
  expect(Object.values(layout).flat().sort()).toEqual(
    someParts()
      .map(({ part }) => part)
      .filter((part) => part !== 'account')
      .sort(),
  );
  serve(
    aCampaignInReview({
      min_goal: 12_000.5,
      texts: {
        fi: someTexts({
          tagline: 'Iskulauseemme',
          about_creator: 'Olemme me',
          project_pic_alt: 'Lautta kuvassa',
        }),
      },
      custom_language: { fi: { match_funding: { value: 'Kunta tuplaa', format: 'text', html: '' } } },
      creator_pic: 'avatar-a.svg',
      settings: {
        contact_email: 'yhteys@example.fi',
        legal_creator: 'Kylä ry',
        first_day_of_funding: '2026-12-01',
      },
      meta: {
        hideFundingAmount: true,
        hideMemberCount: false,
        legal_creator_type: 'association',
        external_link_1: 'https://kyla.example',
      },
      subscriptions_goals: [
        { goal_id: 1, target: 26, texts: { fi: { title: 'Piano', description: 'Viritettynä' } } },
      ],
      content_experiment: {
        field: 'title',
        language: 'fi',
        started_at: '2026-11-20T10:00:00Z',
        variations: [{ letter: 'B', value: 'Toinen otsikko', visitors: 0, paid: 0 } as never],
        visitors: 0,
        paid: 0,
        missing: 5,
        conclusive: false,
      },
    }),
  );
  server.use(
    http.get(content('/campaigns/3/rewards/fi/'), () =>
      HttpResponse.json({
        rewards: [
          aReward({
            stock: 60,
            delivery: '2027-08',
            vat_percentage: 25.5,
            added_costs: [{ amount: 4.9, description: 'Postitus' }],
            custom_questions: [{ key: 'custom_question_1', text: 'Minkä kokoinen?' }],
            asks_for_address: true,
            image: 'scene-a.svg',
            image_alt: 'Purkki kädessä',
          }),
        ],
      }),
    ),
  );
  await open();
  await screen.findByText(/Postitus/);
  const page = screen.getByRole('main').textContent.replace(/\s/g, ' ');
  for (const said of [
    /Iskulauseemme/,
    /Olemme me/,
    /Lautta kuvassa/,
    /Kunta tuplaa/,
    /yhteys@example.fi/,
    /Kylä ry \(yhdistys\)/,
    /kyla.example/,
    /Piilota kerätty summa/,
    /Piano/,
    /Viritettynä/,
    /Tukijoita 26/,
    /Toinen otsikko/,
    /Varasto: 60/,
    /ALV: 25.5 %/,
    /elokuu 2027/,
    /Minkä kokoinen\?/,
    /postiosoitteen/,
    /Purkki kädessä/,
    /Tukijat saavat rahansa takaisin/,
    /12 000,50 € – 24 000 €/,
    /4,90 € Postitus/,
    /Avainsanat: Sauna/,
    /Paikkakunta: Pielavesi/,
    /Suomi · Kertatuki/,
  ])
    expect(page).toMatch(said);
});

test('a campaign is not approved without a tick of the reviewer’s own unless they say so', async () => {
  serve();
  let sent: ReviewDecision | undefined;
  server.use(
    http.post(decisions, async ({ request }) => {
      sent = (await request.json()) as ReviewDecision;
      return HttpResponse.json({ review: aReview({ state: 'approved' }), stage: 1, version: 2 });
    }),
  );
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Hyväksy' }));
  expect(await screen.findByText(/Et ole merkinnyt itse mitään/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Palaa tarkistamaan' }));
  expect(sent).toBeUndefined();
  await pointer.click(screen.getByRole('button', { name: 'Hyväksy' }));
  await pointer.click(await screen.findByRole('button', { name: 'Hyväksy silti' }));
  await waitFor(() => expect(sent).toEqual({ decision: 'approve', seen: { title: 'd1' }, notes: [] }));
});

test('changes since the approval are listed by word, and each can be marked as seen', async () => {
  const parts = [
    aReviewedPart({
      kind: 'back_to_queue',
      changed: true,
      before: { fi: 'Mehiläisiä katolla' },
      now: { fi: 'Hunajamehiläisiä katolla' },
      by: 'Pekka',
    }),
    aReviewedPart({
      part: 'goal',
      kind: 'back_to_queue',
      digest: 'd2',
      changed: true,
      before: { min: 0, target: 320000, currency: 'EUR' },
      now: { min: 0, target: 380000, currency: 'EUR' },
    }),
    aReviewedPart({
      part: 'reward:12',
      kind: 'to_be_seen',
      digest: 'd3',
      changed: true,
      now: { amount: 1800, currency: 'EUR', active: 1, texts: { fi: { title: 'Purkki' } } },
    }),
    aReviewedPart({ part: 'story', kind: 'to_be_seen', digest: 'd4' }),
  ];
  serve(aCampaignInReview({ stage: 1 }), someReviewChanges({ stage: 1, version: 12, parts }));
  const seen: unknown[] = [];
  server.use(
    http.post(content('/campaigns/3/review/changes/'), async ({ request }) => {
      seen.push(await request.json());
      return HttpResponse.json(someReviewChanges({ stage: 1, parts }));
    }),
  );
  const { pointer } = await renderAt('/3/hoyry/review/', { user: staff });
  const list = within(await screen.findByRole('region', { name: 'Muutokset' }));
  expect(list.getByRole('heading', { name: '3 muutosta hyväksymisen jälkeen' })).toBeVisible();
  expect(list.getByText('Mehiläisiä').tagName).toBe('DEL');
  expect(list.getByText('Hunajamehiläisiä').tagName).toBe('INS');
  expect(list.getByText('3 200 €')).toBeVisible();
  expect(list.getByText('3 800 €')).toBeVisible();
  expect(list.getByText('Purkki')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Hyväksy versio 12' })).toBeVisible();
  await pointer.click(list.getByRole('button', { name: 'Nähty: Vastike' }));
  await waitFor(() => expect(seen).toEqual([{ seen: { 'reward:12': 'd3' } }]));
});

test('what is missing is listed, and the page is told to show the first', async () => {
  const checklist: CampaignAdmin['review']['checklist'] = [
    { key: 'title', done: true, needed: true },
    { key: 'cover', done: false, needed: true },
    { key: 'dates', done: false, needed: true },
  ];
  const fields = ['cover', 'dates'].map((path) => ({ path, rule: 'not_ready', message: 'Puuttuu.' }));
  server.use(http.post(content('/campaigns/3/review/'), () => refusal('not_ready', 409, { fields })));
  const onMissing = jest.fn();
  const admin = aCampaignInReview({ review: aReview({ state: 'none', checklist }) });
  const { pointer } = await renderPart(
    <CreatorReview
      admin={admin}
      onBefore={() => Promise.resolve(true)}
      onMoved={jest.fn()}
      onMissing={onMissing}
    />,
    { user: aUser() },
  );
  await pointer.click(screen.getByRole('button', { name: 'Pyydä tarkistusta' }));
  const list = await screen.findByRole('list', { name: 'Tämä puuttuu vielä' });
  expect(
    within(list)
      .getAllByRole('button')
      .map((one) => one.textContent),
  ).toEqual(['Kansikuva', 'Alkamis- ja päättymispäivä']);
  expect(onMissing).toHaveBeenCalledWith('cover');
});

test('a note is shown at its part with its quote, and can be marked as done', async () => {
  const mended: unknown[] = [];
  const review = aReview({
    state: 'changes_requested',
    notes: [aReviewNote({ part: 'story', quote: 'kuusi' })],
  });
  server.use(
    http.patch(content('/campaigns/3/review/notes/4/'), async ({ request }) => {
      mended.push(await request.json());
      return HttpResponse.json({ review, stage: 0, version: 1 });
    }),
  );
  const onChanged = jest.fn();
  const { pointer } = await renderPart(
    <PartNotes campaignId={3} review={review} parts={['story']} onChanged={onChanged} />,
    { user: aUser() },
  );
  expect(screen.getByText('Kohta: ”kuusi”')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Merkitse korjatuksi' }));
  await waitFor(() => expect(onChanged).toHaveBeenCalledWith(review));
  expect(mended).toEqual([{ mended: true }]);
});
