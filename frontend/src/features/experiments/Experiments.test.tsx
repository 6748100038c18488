import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { anExperiment } from '../../../test/builders';
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

describe('the index', () => {
  test('is in the order of stages and says how many there are', async () => {
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

  test('a stage is in the address and asked from the server', async () => {
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

  test.each(['7', 'x', '-1'])('the stage %s is none', async (stage) => {
    serveExperiments((question) => (question.get('stage') === null ? [anExperiment()] : []));
    await renderAt(`/experiments/?stage=${stage}`);
    expect(await screen.findByRole('link', { name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });

  test('more comes by the button', async () => {
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

  test('an empty stage says so', async () => {
    serveExperiments(() => []);
    await renderAt('/experiments/?stage=5');
    expect(await screen.findByText('Tässä vaiheessa ei ole yhtään kokeilua.')).toBeVisible();
  });

  test('a failure can be tried again', async () => {
    serveExperiments(() => [anExperiment()]);
    const gate = failing('/experiments/preview/fi/');
    const { pointer } = await renderAt('/experiments/');
    const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
    gate.open();
    await pointer.click(again);
    expect(await screen.findByRole('link', { name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });
});

describe('the page', () => {
  const address = '/experiments/41/tyokaluseina/';

  test('shows the way, the money and the facts', async () => {
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
    expect(money.getByText('326 tykkäystä')).toBeVisible();
    expect(screen.getByText('Pora elää yksitoista minuuttia.')).toBeVisible();
    expect(screen.getByText('jakaminen')).toBeVisible();
  });

  test('a link leads only to the web or to mail', async () => {
    serveOne(anExperiment());
    await renderAt(address);
    expect(await screen.findByRole('link', { name: 'tyokaluseina.fi' })).toHaveAttribute(
      'href',
      'https://tyokaluseina.fi',
    );
    expect(screen.queryByRole('link', { name: 'paha' })).not.toBeInTheDocument();
  });

  test('without a goal there is no progress', async () => {
    serveOne(anExperiment({ funding: undefined }));
    await renderAt(address);
    const money = within(await screen.findByRole('region', { name: 'Rahoitus' }));
    expect(money.queryByRole('img')).not.toBeInTheDocument();
  });

  test('what does not load can be tried again', async () => {
    serveOne(anExperiment());
    const gate = failing('/experiments/41/fi/');
    const { pointer } = await renderAt(address);
    const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
    gate.open();
    await pointer.click(again);
    expect(await screen.findByRole('heading', { level: 1, name: 'Kirjasto lainaa työkaluja' })).toBeVisible();
  });

  test('what is not there is no page', async () => {
    server.use(http.get(content('/experiments/41/fi/'), () => refusal('not_found', 404)));
    await renderAt(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'Tätä sivua ei löydy' })).toBeVisible();
  });
});
