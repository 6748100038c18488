/** Returns the current time in milliseconds since 1970. Injected, so that tests can set it. */
export type Clock = () => number;

/** The browser's clock, for the store only. Everything else uses `readNow` or `useNow`. */
export const browserClock: Clock = () => Date.now();
