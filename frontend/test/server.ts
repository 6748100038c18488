import { setupServer } from 'msw/node';

/** The network of the tests. It knows no call until a test adds one, and refuses all others. */
export const server = setupServer();

const origin = 'http://localhost:8080';

/** The address of a content call, for msw's handlers. */
export const content = (path: string) => `${origin}/content${path}`;

/** The address of a payment call. */
export const payments = (path: string) => `${origin}/payments${path}`;
