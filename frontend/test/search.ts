import { http, HttpResponse } from 'msw';
import type { SearchAnswer } from '../src/api/search';
import { aPreview, anExperiment } from './builders';
import { content, server } from './server';

/** An answer with one hit in four of the groups. */
export function aSearchAnswer(overrides: Partial<SearchAnswer> = {}): SearchAnswer {
  return {
    searched: 'sauna',
    is_corrected: false,
    marks: ['sauna'],
    total: 4,
    places: [
      { place: 'Pohjois-Savo', label: 'Pohjois-Savo', is_region: true, total: 3 },
      { place: 'Pielavesi', label: 'Pielavesi', is_region: false, total: 3 },
      { place: 'Kajaani', label: 'Kajaani', is_region: false, total: 1 },
    ],
    groups: [
      { name: 'open', total: 1, campaigns: [aPreview()] },
      {
        name: 'ended',
        total: 1,
        campaigns: [aPreview({ campaign_id: 4, slug: 'savusauna', title: 'Savusauna takaisin', stage: 3 })],
      },
      { name: 'creators', total: 1, creators: [aFoundPerson] },
      { name: 'experiments', total: 1, experiments: [anExperiment({ title: 'Saunavuoro etänä' })] },
    ],
    ...overrides,
  };
}

const aFoundPerson = {
  user_id: 9,
  first_name: 'Reijo',
  last_name: 'Kukkonen',
  short_description: 'Lämmittää saunan.',
  language: 'fi',
  image: '',
  image_filename: 'avatar-9.svg',
  verified: true,
  links: [],
  tags: [],
  counts: { campaigns: 3, experiments: 0 },
};

/** What is told when nothing was found. */
export const nothing: Partial<SearchAnswer> = {
  searched: 'yksisarvinen',
  marks: ['yksisarvinen'],
  total: 0,
  places: [],
  groups: [
    { name: 'open', total: 34 },
    { name: 'creators', total: 1 },
  ],
};

/** Serves the search. Returns the URLs of the requests. */
export function serveSearch(answer: (url: URL) => SearchAnswer): URL[] {
  const requests: URL[] = [];
  server.use(
    http.get(content('/v6/search/:language/'), ({ request }) => {
      const url = new URL(request.url);
      requests.push(url);
      return HttpResponse.json(answer(url));
    }),
  );
  return requests;
}
