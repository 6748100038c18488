/** The default time in tests: Friday 20 November 2026, 14:00 in Helsinki. */
export const now = Date.UTC(2026, 10, 20, 12);
