/**
 * An address on this site, from what a link asks for; undefined if it leads elsewhere, so that nobody signs in here and
 * finds themself on a page that imitates ours. What counts is how a browser reads it: `/\evil.example` is a host.
 */
export function returnAddress(asked: string | null, origin: string): string | undefined {
  if (!asked || !URL.canParse(asked, origin)) return undefined;
  const url = new URL(asked, origin);
  const isOurs = url.origin === origin && !url.pathname.startsWith('//') && !url.username;
  return isOurs ? url.pathname + url.search + url.hash : undefined;
}
