/** Goes on at another site's page, in place of this one. */
export function leaveFor(url: string): void {
  window.location.assign(url);
}
