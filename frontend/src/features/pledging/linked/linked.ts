import { isObject, tabStorage } from '../../../api/deviceStorage';
import { keepOrderToken } from '../../../api/orderTokens';
import { personalKeyPrefix } from '../../../api/session';

/** A pledge whose mailed link was opened in this tab, and the page that pays it, to come back to from a bank or a payment page. */
export interface Linked {
  path: string;
  token: string;
  /** The token of the pledge's own page, if one came from there. */
  opened?: string;
}

const nameOf = (pledgeId: string) => `${personalKeyPrefix}-linked-${pledgeId}`;

/** The pledge and its key, of the token in a mailed link; undefined if it is not whole. */
export function partsOf(token: string): { pledgeId: string; orderToken: string } | undefined {
  const [, pledgeId, orderToken] = /^([0-9a-z]{26})\.(\d+\.[\w-]{20,100})$/.exec(token) ?? [];
  return pledgeId !== undefined && orderToken !== undefined ? { pledgeId, orderToken } : undefined;
}

const atName = `${personalKeyPrefix}-linked-at`;

/** The token of the link that was opened last in this tab, if it was at a path: a reload without a connection loses it from the browser's history. */
export const tokenAt = (path: string): string | undefined => {
  const last = tabStorage.json(
    atName,
    (value): value is Pick<Linked, 'path' | 'token'> =>
      isObject(value) && typeof value.path === 'string' && typeof value.token === 'string',
  );
  return last?.path === path ? last.token : undefined;
};

/** Keeps that a link was opened, and what its calls need. */
export function keepLinked(pledgeId: string, orderToken: string | undefined, linked: Linked): void {
  keepOrderToken(pledgeId, orderToken);
  const opened = linked.opened ?? linkedOf(pledgeId)?.opened;
  tabStorage.setJson(nameOf(pledgeId), { ...linked, opened });
  tabStorage.setJson(atName, { path: linked.path, token: linked.token });
}

/** The link of a pledge that was opened in this tab. */
export const linkedOf = (pledgeId: string): Linked | undefined =>
  tabStorage.json(
    nameOf(pledgeId),
    (value): value is Linked =>
      isObject(value) &&
      typeof value.path === 'string' &&
      typeof value.token === 'string' &&
      (value.opened === undefined || typeof value.opened === 'string'),
  );
