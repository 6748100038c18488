/** The services whose links have an icon of their own, and mail; www is any other address. */
export type LinkKind = 'facebook' | 'twitter' | 'linkedin' | 'instagram' | 'email' | 'www';

const hosts: readonly [LinkKind, RegExp][] = [
  ['facebook', /(^|\.)(facebook\.com|fb\.com|fb\.me)$/],
  ['twitter', /(^|\.)(twitter\.com|x\.com)$/],
  ['linkedin', /(^|\.)linkedin\.com$/],
  ['instagram', /(^|\.)instagram\.com$/],
];

/** What a link leads to, by its address, also while it is being typed. */
export function linkKind(url: string): LinkKind {
  const address = url.trim().toLowerCase();
  if (address.startsWith('mailto:') || /^[^/\s@]+@[^/\s@]+$/.test(address)) return 'email';
  const host = address.replace(/^https?:\/\//, '').split(/[/?#:]/)[0] ?? '';
  return hosts.find(([, pattern]) => pattern.test(host))?.[0] ?? 'www';
}

/** The address of a link for a page: of the web or of mail, undefined for anything else. */
export function safeAddress(url: string): string | undefined {
  return /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined;
}

/** A link as people read it: without what a browser needs. */
export function shownAddress(url: string): string {
  return url.replace(/^(https?:\/\/(www\.)?|mailto:)/i, '').replace(/\/$/, '');
}
