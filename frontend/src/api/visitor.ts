import { deviceStorage, tabStorage } from './deviceStorage';

const visitorKey = 'tk-visitor';
const sourceKey = 'tk-source';

/**
 * The browser's random visitor id, 26 characters of 0-9a-z, made on first use. Undefined if the visitor does not want
 * to be counted (Global Privacy Control, Do Not Track) or the browser's storage is disabled.
 */
export function visitorId(): string | undefined {
  const wishes = navigator as { globalPrivacyControl?: boolean; doNotTrack?: string | null };
  if (wishes.globalPrivacyControl || wishes.doNotTrack === '1') return undefined;
  const kept = deviceStorage.text(visitorKey);
  if (kept && /^[0-9a-z]{26}$/.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  const made = Array.from(bytes, (byte) => (byte & 31).toString(32)).join('');
  if (deviceStorage.setText(visitorKey, made)) return made;
  // A new id on each page would count one visitor many times.
  deviceStorage.remove(visitorKey);
  return undefined;
}

const social = [
  'facebook',
  'instagram',
  'linkedin',
  'twitter',
  'tiktok',
  'whatsapp',
  'telegram',
  'reddit',
  'youtube',
] as const;
const searches = ['google', 'bing', 'duckduckgo', 'ecosia', 'yahoo'] as const;

/** The networks and search engines that sourceOf knows by name. */
export type KnownSource = (typeof social | typeof searches)[number];

/**
 * Where a visitor came from, as VisitSource in the contract: 'letter' (a mailed update), 'link' (no referrer), or
 * 'social:', 'search:' or 'site:' and a name. '' if it is unknown or this site itself.
 */
export function sourceOf(referrer: string, address: string): string {
  const medium = new URL(address).searchParams.get('utm_medium');
  if (medium === 'letter') return 'letter';
  if (referrer === '') return 'link';
  const host = new URL(referrer).hostname.replace(/^www\./, '');
  if (host === new URL(address).hostname) return '';
  const names = /^(x\.com|t\.co)$/.test(host) ? ['twitter'] : host.split('.');
  const known = (list: readonly string[]) => list.find((name) => names.includes(name));
  const network = known(social);
  if (network) return `social:${network}`;
  const search = known(searches);
  if (search) return `search:${search}`;
  return /^[a-z0-9.-]{3,50}$/.test(host) ? `site:${host}` : '';
}

/** The source of this visit: that of its first page, kept in the tab. '' if it is unknown. */
export function visitSource(): string {
  const kept = tabStorage.text(sourceKey);
  if (kept !== undefined) return kept;
  const source = sourceOf(document.referrer, window.location.href);
  tabStorage.setText(sourceKey, source);
  return source;
}
