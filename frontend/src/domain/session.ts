/** How long a token is valid after it was stored, in milliseconds: 12 hours. */
export const tokenLifetime = 43_200_000;

/**
 * Whether a token is still valid; both times in milliseconds since 1970. One stored in the future is not, because then
 * the device's clock has been changed.
 */
export function isLive(storedAt: number, now: number): boolean {
  const age = now - storedAt;
  return age >= 0 && age < tokenLifetime;
}
