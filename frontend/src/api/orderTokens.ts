import { personalKeyPrefix } from './session';

/**
 * What a guest's pledge or support is paid and shown with, for a day, in the tab where it was made. In storage it
 * survives a visit to a payment page; it is in no address. Who is signed in needs none.
 */
const nameOf = (orderId: string) => `${personalKeyPrefix}-order-${orderId}`;

/** Keeps the token of an order that was made, if it has one. */
export function keepOrderToken(orderId: string, token: string | undefined): void {
  if (!token) return;
  try {
    window.sessionStorage.setItem(nameOf(orderId), token);
  } catch {
    // Full or refused: a payment that needs no other page still works, because its form is on this one.
    kept.set(orderId, token);
  }
}

/** The token of an order; undefined if this tab has none. */
export function orderToken(orderId: string): string | undefined {
  try {
    return window.sessionStorage.getItem(nameOf(orderId)) ?? kept.get(orderId);
  } catch {
    return kept.get(orderId);
  }
}

const kept = new Map<string, string>();

/** The token for a call, whose path names the order. */
export function orderTokenFor(path: string): string | undefined {
  const id = /\/([0-9a-hjkmnp-tv-z]{26})(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : orderToken(id);
}
