/** The current time in milliseconds; handed in, so that tests can choose it. */
export type Clock = () => number;

/** The browser's. Nothing else reads it: whoever needs the time asks the store, by `readNow` or `useNow`. */
export const browserClock: Clock = () => Date.now();
