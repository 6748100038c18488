/** When it is in the tests, unless one says otherwise: a Friday in November, two in the afternoon in Helsinki. */
export const now = Date.UTC(2026, 10, 20, 12);
