/** How long a token is valid after it was stored, in milliseconds: 12 hours. */
export const tokenLifetime = 43_200_000;

/** Whether a token is still valid. One stored in the future is not: the clock has been changed. */
export function isLive(storedAt: number, now: number): boolean {
  const age = now - storedAt;
  return age >= 0 && age < tokenLifetime;
}
