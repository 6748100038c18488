import { deviceStorage, isObject } from './deviceStorage';

/** What was paid for a campaign from this browser while nobody was signed in. It names nobody. */
export interface Backed {
  /** In the campaign's currency, in the major unit; a month of monthly support. */
  amount: number;
  /** When it was paid, in milliseconds since 1970. */
  at: number;
  /** The address of the receipt, with its middle hidden. */
  mail: string;
}

const nameOf = (campaignId: number) => `tk-backed-${campaignId}`;

/** What was paid from this browser last; undefined for nothing. */
export function backedFrom(campaignId: number): Backed | undefined {
  return deviceStorage.json(nameOf(campaignId), isBacked);
}

/** Remembers it, in place of what was paid earlier. */
export function rememberBacked(campaignId: number, backed: Backed): void {
  deviceStorage.setJson(nameOf(campaignId), backed);
}

/** Removes it: it was somebody else, or the browser is shared. */
export function forgetBacked(campaignId: number): void {
  deviceStorage.remove(nameOf(campaignId));
}

/** An address as others may see it: l···@posti.fi. */
export function maskedMail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${at > 0 ? String.fromCodePoint(address.codePointAt(0) ?? 0) : ''}···${address.slice(at)}`;
}

const isBacked = (value: unknown): value is Backed =>
  isObject(value) &&
  typeof value.amount === 'number' &&
  typeof value.at === 'number' &&
  typeof value.mail === 'string';
