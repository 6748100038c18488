import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { anExperiment, aUser } from '../../../test/builders';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { Experiment, ExperimentPreview } from '../../api/content';
import { failing, listOf } from '../../../test/campaigns';

function serveExperiments(
  answer: (question: URLSearchParams) => readonly ExperimentPreview[],
  total?: number,
) {
  server.use(
    http.get(content('/experiments/preview/fi/'), ({ request }) =>
      listOf(answer(new URL(request.url).searchParams), total),
    ),
  );
}

const serveOne = (experiment: Experiment) =>
  server.use(http.get(content('/experiments/41/fi/'), () => HttpResponse.json({ experiment, acl: [] })));

describe('the list of experiments', () => {
  test('is sorted by stage and announces the number of experiments', async () => {
    serveExperiments(() => [
      anExperiment({ experiment_id: 9, stage: 4, title: 'Käytössä oleva' }),
      anExperiment({ experiment_id: 8, stage: 0, title: 'Idea vasta' }),
    ]);
    await renderAt('/experiments/');
    expect(await screen.findByText('2 kokeilua')).toHaveAttribute('role', 'status');
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Idea vasta',
      'Käytössä oleva',
    ]);
  });

  test('the chosen stage is in the address and in the request', async () => {
    serveExperiments((question) =>
      question.get('stage') === '3'
        ? [anExperiment({ title: 'Arvioitu kokeilu', stage: 3 })]
        : [anExperiment()],
    );
    const { pointer, router } = await renderAt('/experiments/');
    await pointer.click(await screen.findByRole('link', { name: 'Arvioitu' }));
    expect(await screen.findByRole('link', { name: 'Arvioitu kokeilu' })).toBeVisible();
    expect(router.state.location.search).toBe('?stage=3');
  });

  test('search and order are in the address and in the request, and only listed ones are asked for', async () => {
    let asked = '';
    serveExperiments((question) => {
      asked = question.toString();
      return [anExperiment()];
    });
    const { pointer, router } = await renderAt('/experiments/');
    await pointer.type(await screen.findByRole('searchbox', { name: 'Hae kokeiluista' }), 'pora{Enter}');
    expect(await screen.findByText('Yksi kokeilu')).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'Arvioitu' })).toHaveAttribute(
        'href',
        '/experiments/?keyword=pora&stage=3',
      ),
    );
    await pointer.selectOptions(screen.getByRole('combobox', { name: 'Järjestys' }), 'Tykätyimmät ensin');
    await waitFor(() => expect(router.state.location.search).toBe('?keyword=pora&sort=likes'));
    await waitFor(() => expect(asked).toContain('show_in=index'));
    await waitFor(() => expect(asked).toMatch(/keyword=pora&sort=likes/));
  });

  test.each(['7', 'x', '-1'])('the invalid stage %s is ignored', async (stage) => {
    serveExperiments((question) => (question.get('stage') === null ? [anExperiment()] : []));
    await renderAt(`/experiments/?stage=${stage}`);
    expect(await screen.findByRole('link', { name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });

  test('the button loads more experiments', async () => {
    serveExperiments(
      (question) =>
        question.get('offset') === '1'
          ? [anExperiment({ experiment_id: 42, title: 'Toinen' })]
          : [anExperiment()],
      2,
    );
    const { pointer } = await renderAt('/experiments/');
    await pointer.click(await screen.findByRole('button', { name: 'Näytä lisää' }));
    expect(await screen.findByRole('link', { name: 'Toinen' })).toBeVisible();
  });

  test('a stage without experiments has an empty state', async () => {
    serveExperiments(() => []);
    await renderAt('/experiments/?stage=5');
    expect(await screen.findByText('Tässä vaiheessa ei ole yhtään kokeilua.')).toBeVisible();
  });

  test('a list that fails to load has a retry button', async () => {
    serveExperiments(() => [anExperiment()]);
    const gate = failing('/experiments/preview/fi/');
    const { pointer } = await renderAt('/experiments/');
    const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
    gate.open();
    await pointer.click(again);
    expect(await screen.findByRole('link', { name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });
});

describe('the page of an experiment', () => {
  const address = '/experiments/41/tyokaluseina/';

  test('shows the stages, the funding and the facts', async () => {
    serveOne(anExperiment());
    await renderAt(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
    const way = within(screen.getByRole('list', { name: 'Kokeilun vaiheet' }));
    expect(way.getAllByRole('listitem')).toHaveLength(7);
    const now = way.getByText('Käynnissä').closest('li');
    expect(now).toHaveAttribute('aria-current', 'step');
    const money = within(screen.getByRole('region', { name: 'Rahoitus' }));
    expect(money.getByText('38 400 €')).toBeVisible();
    expect(money.getByText('tavoite 52 000 € · 74 %')).toBeVisible();
    expect(money.getByText('Joukkorahoitus 23 900 €')).toBeVisible();
    expect(money.getByText('Organisaatiot 14 500 €')).toBeVisible();
    expect(money.getByText('Ympäristöministeriö')).toBeVisible();
    expect(money.getByRole('button', { name: 'Tykkää · 326' })).toBeVisible();
    expect(within(now as HTMLElement).getByText('4.5. alkaen')).toBeVisible();
    expect(screen.getByText('Noora Salminen')).toBeVisible();
    expect(screen.getByText('Pora elää yksitoista minuuttia.')).toBeVisible();
    expect(screen.getByText('jakaminen')).toBeVisible();
  });

  test('only web and mail addresses are links', async () => {
    serveOne(anExperiment());
    await renderAt(address);
    expect(await screen.findByRole('link', { name: 'tyokaluseina.fi' })).toHaveAttribute(
      'href',
      'https://tyokaluseina.fi',
    );
    expect(screen.queryByRole('link', { name: 'paha' })).not.toBeInTheDocument();
  });

  test('a linked campaign that takes money is one press away, and one that hides its sum says so', async () => {
    const { funding } = anExperiment();
    if (!funding) throw new Error('the builder has funding');
    const campaign = { title: 'Seinä Sampolaan', slug: 'seina', image: 'x.jpg', stage: 2 };
    const crowd = { raised: 0, hidden: true, campaign_id: 118, campaign };
    serveOne(anExperiment({ funding: { ...funding, sources: { ...funding.sources, crowd } } }));
    await renderAt(address);
    expect(await screen.findByRole('link', { name: 'Tue kampanjaa' })).toHaveAttribute('href', '/118/seina/');
    expect(screen.getByText(/ei näytä summaansa/)).toBeVisible();
  });

  test('what was learned stands under the story', async () => {
    const results = { value: '1 914 lainaa', format: 'text' as const, html: '<p>1 914 lainaa</p>' };
    serveOne(anExperiment({ custom_language: { results } }));
    await renderAt(address);
    expect(await screen.findByRole('heading', { name: 'Mitä opimme' })).toBeVisible();
    expect(screen.getByText('1 914 lainaa')).toBeVisible();
  });

  test('a visitor who likes is asked to sign in', async () => {
    serveOne(anExperiment());
    const { pointer } = await renderAt(address);
    await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 326' }));
    expect(await screen.findByRole('dialog', { name: 'Kirjaudu sisään' })).toBeVisible();
  });

  test('a like is shown at once, and undone when the server refuses it', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    serveOne(anExperiment());
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post(content('/experiments/41/likes/'), async () => {
        await answered;
        return refusal('internal_error', 500);
      }),
    );
    const { pointer } = await renderAt(address, { user: aUser() });
    await pointer.click(await screen.findByRole('button', { name: 'Tykkää · 326' }));
    expect(await screen.findByRole('button', { name: 'Tykkää · 327', pressed: true })).toBeVisible();
    answer();
    expect(await screen.findByRole('button', { name: 'Tykkää · 326', pressed: false })).toBeVisible();
    warn.mockRestore();
  });

  test('who may edit it has the way there', async () => {
    server.use(
      http.get(content('/experiments/41/fi/'), () =>
        HttpResponse.json({ experiment: anExperiment(), acl: ['view', 'edit'] }),
      ),
    );
    await renderAt(address, { user: aUser() });
    expect(await screen.findByRole('link', { name: 'Muokkaus' })).toHaveAttribute('href', `${address}edit/`);
  });

  test('without a goal there is no progress bar', async () => {
    serveOne(anExperiment({ funding: undefined }));
    await renderAt(address);
    const money = within(await screen.findByRole('region', { name: 'Rahoitus' }));
    expect(money.queryByRole('img')).not.toBeInTheDocument();
  });

  test('an experiment that fails to load has a retry button', async () => {
    serveOne(anExperiment());
    const gate = failing('/experiments/41/fi/');
    const { pointer } = await renderAt(address);
    const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
    gate.open();
    await pointer.click(again);
    expect(await screen.findByRole('heading', { level: 1, name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });

  test('in the place of an experiment that does not exist stands an empty one', async () => {
    server.use(http.get(content('/experiments/41/fi/'), () => refusal('not_found', 404)));
    await renderAt(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'Tätä kokeilua ei ole' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Kaikki kokeilut' })).toHaveAttribute('href', '/experiments/');
    expect(screen.queryByText('Nyt:')).not.toBeInTheDocument();
  });
});
