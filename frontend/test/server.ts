import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { OwnMenu } from '../src/api/own';
import { delayedAnswers } from './lateAnswers';

const origin = 'http://localhost:8080';

/** The address of a content service path, for msw's handlers. */
export const content = (path: string) => `${origin}/content${path}`;

/** The address of a payment service path. */
export const payments = (path: string) => `${origin}/payments${path}`;

/** What the menu says of somebody who has nothing. */
export const anOwnMenu = (overrides: Partial<OwnMenu> = {}): OwnMenu => ({
  image_filename: 'avatar-7.svg',
  pledges: 0,
  monthly: [],
  campaigns: 0,
  campaigns_waiting: 0,
  claims: 0,
  claims_waiting: 0,
  invitations: 0,
  waiting: 0,
  ...overrides,
});

/** The fake network. A request that no handler matches fails the test. */
// Every campaign page counts its visit, and asks what a signed-in reader has in it; every page asks what their menu says, and that of
// one's own campaigns for one's experiments. Tests of that add a handler of their own.
export const server = setupServer(
  http.get(content('/users/me/menu/'), () => HttpResponse.json(anOwnMenu())),
  http.get(content('/users/me/invitations/:language/'), () => HttpResponse.json({ invitations: [] })),
  http.post(content('/campaigns/:campaignId/visits/'), () => new HttpResponse(null, { status: 204 })),
  // Provider A takes cards and has a page, unless a test says otherwise.
  http.get(payments('/api/campaigns/:campaignId/methods'), () =>
    HttpResponse.json({
      methods: (['card', 'page'] as const).map((method) => ({
        method,
        provider: 'stripe',
        needs_payer: false,
      })),
      saved_cards: [],
    }),
  ),
  http.get(content('/users/me/backed/:campaignId/'), () =>
    HttpResponse.json({ pledges: [], subscriptions: [] }),
  ),
  http.get(content('/experiments/preview/:language/'), ({ request }) =>
    new URL(request.url).searchParams.has('team_member_id')
      ? HttpResponse.json({ previews: [], total: 0 })
      : undefined,
  ),
);

const open = new Set<string>();
server.events.on('request:start', ({ requestId }) => open.add(requestId));
server.events.on('request:end', ({ requestId }) => open.delete(requestId));

/**
 * Waits until no request is pending and none follows. Gives up after 100 turns of the event loop, because some tests
 * leave a request unanswered on purpose.
 */
export async function untilQuiet(): Promise<void> {
  for (let turns = 0, quiet = 0; quiet < 3 && turns < 100; turns += 1) {
    await (delayedAnswers() > 0 ? sleep(3) : turn());
    quiet = open.size + delayedAnswers() === 0 ? quiet + 1 : 0;
  }
  open.clear();
}

/** An error response as the services send it. */
export const refusal = (status: string, http: number, more: object = {}) =>
  HttpResponse.json({ status, message: '', request_id: 'r', ...more }, { status: http });

/** Serves empty lists, for tests that pass through pages whose lists do not matter. */
export function serveNothing() {
  server.use(
    http.get(/\/content\/(v\d\/)?(campaigns|experiments)\/preview\//, () =>
      HttpResponse.json({ previews: [], total: 0 }),
    ),
    http.get(content('/campaigns/categories/'), () => HttpResponse.json({ categories: [] })),
  );
}
