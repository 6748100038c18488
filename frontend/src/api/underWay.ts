import type { Clock } from './clock';
import { deviceStorage, isObject } from './deviceStorage';
import { keepOrderToken, orderToken } from './orderTokens';
import { underWayKey } from './session';

/** A payment that a provider was asked for, and of which no answer was seen. It names nobody. */
export interface UnderWay {
  pledgeId: string;
  /** A guest's: lets another tab ask how it stands, so it is removed once the payment is settled. */
  orderToken?: string;
  /** In the major unit. */
  amount: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * Milliseconds after which a payment is not under way any more: it has ended long before, and a guest's token with which
 * it could be asked about is over.
 */
const most = 24 * 3_600_000;

const read = (name: string, now: Clock) =>
  (deviceStorage.json(name, isUnderWayList) ?? []).filter(({ at }) => now() - at < most);

/**
 * The payment to a campaign that was begun last from this browser, by an account or by a guest. `pledgeId`: of that
 * pledge alone.
 */
export function paymentUnderWay(
  campaignId: number,
  userId: number | undefined,
  now: Clock,
  pledgeId?: string,
): UnderWay | undefined {
  const last = read(underWayKey(campaignId, userId), now)
    .filter((one) => pledgeId === undefined || one.pledgeId === pledgeId)
    .at(-1);
  if (last && !orderToken(last.pledgeId)) keepOrderToken(last.pledgeId, last.orderToken);
  return last;
}

/** The same to all campaigns. */
export function paymentsUnderWay(
  userId: number | undefined,
  now: Clock,
): (UnderWay & { campaignId: number })[] {
  return deviceStorage
    .names()
    .map((name) => ({ name, campaignId: Number(/-(\d+)-[^-]+$/.exec(name)?.[1]) }))
    .filter(({ name, campaignId }) => name === underWayKey(campaignId, userId))
    .sort((one, other) => one.campaignId - other.campaignId)
    .flatMap(({ campaignId }) => {
      const payment = paymentUnderWay(campaignId, userId, now);
      return payment ? [{ ...payment, campaignId }] : [];
    });
}

/** Lets this tab ask about a payment that a guest began in another one of this browser, to whatever campaign. */
export function recallOrderToken(pledgeId: string, now: Clock): void {
  if (orderToken(pledgeId) !== undefined) return;
  const guests = deviceStorage
    .names()
    .filter((name) => name === underWayKey(Number(/-(\d+)-[^-]+$/.exec(name)?.[1]), undefined));
  const found = guests.flatMap((name) => read(name, now)).find((one) => one.pledgeId === pledgeId);
  keepOrderToken(pledgeId, found?.orderToken);
}

/** Remembers one, until its answer is seen. */
export function rememberUnderWay(
  campaignId: number,
  userId: number | undefined,
  now: Clock,
  payment: UnderWay,
): void {
  const name = underWayKey(campaignId, userId);
  const others = read(name, now).filter(({ pledgeId }) => pledgeId !== payment.pledgeId);
  deviceStorage.setJson(name, [...others, { ...payment, orderToken: orderToken(payment.pledgeId) }]);
}

/** Its answer was seen. */
export function forgetUnderWay(
  campaignId: number,
  userId: number | undefined,
  now: Clock,
  pledgeId: string,
): void {
  const name = underWayKey(campaignId, userId);
  const left = read(name, now).filter((one) => one.pledgeId !== pledgeId);
  if (left.length > 0) deviceStorage.setJson(name, left);
  else deviceStorage.remove(name);
}

const isUnderWayList = (value: unknown): value is UnderWay[] =>
  Array.isArray(value) &&
  value.every((one: unknown) => isObject(one) && typeof one.pledgeId === 'string' && one.pledgeId !== '');
