import { isObject, tabStorage } from './deviceStorage';
import { personalKeyPrefix } from './session';

/**
 * What a guest's pledge or support is paid and shown with, for a day, in the tab where it was made. In storage it
 * survives a visit to a payment page; it is in no address. Who is signed in needs none.
 */
const nameOf = (orderId: string) => `${personalKeyPrefix}-order-${orderId}`;

/** Keeps the token of an order that was made, if it has one. */
export function keepOrderToken(orderId: string, token: string | undefined): void {
  if (token) tabStorage.setText(nameOf(orderId), token);
}

/** The token of an order; undefined if this tab has none. */
export const orderToken = (orderId: string): string | undefined => tabStorage.text(nameOf(orderId));

/** The token for a call, whose path names the order. */
export function orderTokenFor(path: string): string | undefined {
  const id = /\/([0-9a-hjkmnp-tv-z]{26})(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : orderToken(id);
}

/** The token for a call whose body names the pledge that it is about. */
export function orderTokenIn(body: unknown): string | undefined {
  const id = isObject(body) ? body.pledgeId : undefined;
  return typeof id === 'string' ? orderToken(id) : undefined;
}
