/** Where an update is written. */
export function Component() {
  return null;
}
