import { http, HttpResponse } from 'msw';
import type { ExperimentAdmin } from '../src/api/experiments';
import { anExperiment } from './builders';
import { content, server } from './server';

/** An experiment as its team reads it. */
export function anAdmin(overrides: Partial<ExperimentAdmin> = {}): ExperimentAdmin {
  const { funding, stage_dates, team, tags } = anExperiment();
  if (!funding) throw new Error('the builder has funding');
  return {
    experiment_id: 41,
    slug: 'tyokaluseina',
    version: 7,
    stage: 2,
    stage_dates,
    stage_needs: [],
    open: true,
    disabled: false,
    language: 'fi',
    texts: {
      fi: {
        title: 'Kirjasto lainaa työkaluja',
        short_description: '140 porakonetta.',
        json_description: { type: 'doc', content: [] },
        image_alt: '',
      },
    },
    custom_language: {},
    show_in: { index: false },
    geographic_location: { place: 'Tampere', latitude: 61.5, longitude: 23.8 },
    image: 'scene-x.svg',
    image_is_drawn: true,
    tags,
    links: [{ url: 'https://tyokaluseina.fi', title: '' }],
    team,
    invitations: [],
    like_count: 326,
    funding,
    ...overrides,
  };
}

export interface Call {
  path: string;
  body: unknown;
  ifMatch: string | null;
}

/** An experiment whose changes are kept; gives the calls that changed it. */
export function serveAdmin(
  first: ExperimentAdmin,
  change: (call: Call) => Partial<ExperimentAdmin> = () => ({}),
) {
  let admin = first;
  const calls: Call[] = [];
  const answer = async ({ request }: { request: Request }) => {
    const text = await request.text();
    const call: Call = {
      path: new URL(request.url).pathname.replace(/^.*\/experiments\/41\//, ''),
      body: text ? (JSON.parse(text) as unknown) : undefined,
      ifMatch: request.headers.get('If-Match'),
    };
    calls.push(call);
    admin = { ...admin, version: admin.version + 1, ...change(call) };
    return HttpResponse.json({ experiment: admin });
  };
  server.use(
    http.get(content('/experiments/41/admin/fi/'), () => HttpResponse.json({ experiment: admin })),
    http.get(content('/experiments/41/admin/history/'), () => HttpResponse.json({ changes: [], total: 0 })),
    http.get(content('/experiments/tags/fi/'), () =>
      HttpResponse.json({
        tags: [
          { id: 1, label: 'jakaminen' },
          { id: 2, label: 'korjaaminen' },
        ],
      }),
    ),
    http.get(content('/places/fi/'), () =>
      HttpResponse.json({ places: [{ place: 'Oulu', latitude: 65.01, longitude: 25.47 }] }),
    ),
    http.patch(content('/experiments/41/*'), answer),
    http.post(content('/experiments/41/*'), answer),
  );
  return calls;
}
