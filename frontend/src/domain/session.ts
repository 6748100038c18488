/** How long a token lives after it was stored, in milliseconds: 12 hours. */
export const tokenLifetime = 43_200_000;

/** Whether a token stored at this time may still be used. A time in the future is a clock gone wrong: not live. */
export function isLive(storedAt: number, now: number): boolean {
  const age = now - storedAt;
  return age >= 0 && age < tokenLifetime;
}
