/** The current time in milliseconds; injected, so that tests can choose it. */
export type Clock = () => number;
