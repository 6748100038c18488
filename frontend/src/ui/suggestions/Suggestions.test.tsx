import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { renderPart } from '../../../test/part';
import { content, server } from '../../../test/server';
import MySuggestions from './MySuggestions';
import Suggestions from './Suggestions';

const sauna = {
  kind: 'campaign',
  id: 7,
  title: 'Höyry',
  language: 'fi',
  path: '/7/hoyry/',
  picture: 'art.svg',
  percent: 77,
  settling_percent: 5,
  state: '6 pv jäljellä',
  reason: { kind: 'near', text: 'Lähellä: Pielavesi' },
};

const answer = (suggestions: object[]) =>
  server.use(http.get(content('/campaigns/3/recommendations/fi/'), () => HttpResponse.json({ suggestions })));

test('each suggestion is one link, with its progress in words and one reason', async () => {
  answer([
    sauna,
    {
      ...sauna,
      id: 8,
      title: 'Kuoro',
      percent: undefined,
      settling_percent: undefined,
      state: 'Kuukausituki',
    },
  ]);
  await renderPart(<Suggestions campaignId={3} />);
  const list = await screen.findByRole('region', { name: 'Lähde mukaan myös näihin' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(within(first!).getByRole('link', { name: 'Höyry' })).toHaveAttribute('href', '/7/hoyry/');
  expect(first).toHaveTextContent('77 % 6 pv jäljellä');
  expect(within(first!).getByText('Lähellä: Pielavesi')).toBeVisible();
  expect(second).toHaveTextContent('Kuukausituki');
});

test('nothing is shown without suggestions', async () => {
  answer([]);
  const { container } = await renderPart(<Suggestions campaignId={3} />);
  await waitFor(() => expect(screen.queryByRole('status')).not.toBeInTheDocument());
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  expect(container).toHaveTextContent('');
});

test('nothing is shown when the call fails: the page is complete without it', async () => {
  let asked = 0;
  server.use(
    http.get(content('/campaigns/3/recommendations/fi/'), () => {
      asked += 1;
      return HttpResponse.json(
        { status: 'unavailable', message: 'Ei nyt.', request_id: 'x' },
        { status: 404 },
      );
    }),
  );
  await renderPart(<Suggestions campaignId={3} />);
  await waitFor(() => expect(asked).toBe(1));
  await waitFor(() => expect(screen.queryByRole('status')).not.toBeInTheDocument());
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('an experiment’s page has suggestions, too', async () => {
  server.use(
    http.get(content('/experiments/5/recommendations/fi/'), () =>
      HttpResponse.json({ suggestions: [{ ...sauna, kind: 'experiment', id: 9, title: 'Lämpöä jäästä' }] }),
    ),
  );
  await renderPart(<Suggestions experimentId={5} />);
  expect(await screen.findByRole('link', { name: 'Lämpöä jäästä' })).toBeVisible();
});

const nearAtOnce = class {
  constructor(private readonly onSeen: (seen: { isIntersecting: boolean }[]) => void) {}
  observe() {
    this.onSeen([{ isIntersecting: true }]);
  }
  disconnect() {
    this.onSeen([{ isIntersecting: false }]);
  }
};

test('one’s own suggestions are only those because of what one has backed, liked or chosen', async () => {
  Object.assign(globalThis, { IntersectionObserver: nearAtOnce });
  server.use(
    http.get(content('/users/me/recommendations/fi/'), () =>
      HttpResponse.json({
        suggestions: [
          { ...sauna, reason: { kind: 'you_backed', text: 'Koska tuit: Kiuas' } },
          {
            ...sauna,
            id: 9,
            title: 'Laituri',
            reason: { kind: 'your_tags', text: 'Avainsanoistasi: järvi' },
          },
          { ...sauna, id: 8, title: 'Kuoro', reason: { kind: 'popular', text: 'Suosittu juuri nyt' } },
        ],
      }),
    ),
  );
  await renderPart(<MySuggestions />, { user: aUser() });
  const list = await screen.findByRole('region', { name: 'Sinulle' });
  expect(within(list).getAllByRole('link')).toHaveLength(2);
  expect(within(list).getByText('Koska tuit: Kiuas')).toBeVisible();
  expect(within(list).getByText('Avainsanoistasi: järvi')).toBeVisible();
});
