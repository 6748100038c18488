import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';

/** The network of the tests. It knows no call until a test adds one, and refuses all others. */
export const server = setupServer();

const origin = 'http://localhost:8080';

/** The address of a content call, for msw's handlers. */
export const content = (path: string) => `${origin}/content${path}`;

/** The address of a payment call. */
export const payments = (path: string) => `${origin}/payments${path}`;

/** An answer that is no success, as the services give it. */
export const refusal = (status: string, http: number, more: object = {}) =>
  HttpResponse.json({ status, message: '', request_id: 'r', ...more }, { status: http });

/** Lists without anything in them, for tests that pass through pages which they do not look at. */
export function serveNothing() {
  server.use(
    http.get(/\/content\/(v\d\/)?(campaigns|experiments)\/preview\//, () =>
      HttpResponse.json({ previews: [], total: 0 }),
    ),
    http.get(content('/campaigns/categories/'), () => HttpResponse.json({ categories: [] })),
  );
}
