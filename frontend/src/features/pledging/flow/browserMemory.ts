import { maskedMail, rememberBacked } from '../../../api/backed';
import { deviceStorage } from '../../../api/deviceStorage';
import type { Clock } from '../../../api/clock';
import { forgetUnderWay, paymentUnderWay, rememberUnderWay, type UnderWay } from '../../../api/underWay';
import { boughtBy } from './order';

/**
 * What all tabs of this browser know together about the payments to one campaign. It outlives the tab, so it holds no
 * name, address or card. Where the browser keeps nothing, each page is on its own.
 */
export interface BrowserMemory {
  /** The idempotency key of a content: the same one in every tab, until `renewKeys`. */
  keyOf: (content: string) => string;
  /** A key that was used has been answered for good: the same content is another pledge from now on. */
  renewKeys: () => void;
  /** The payment that was begun last and of which no answer was seen. `pledgeId`: of that pledge alone. */
  underWay: (pledgeId?: string) => UnderWay | undefined;
  setUnderWay: (payment: UnderWay) => void;
  /** The answer was seen. */
  settled: (pledgeId: string) => void;
  /** When the same choice was paid last, in milliseconds since 1970; undefined if never. */
  paidAt: (choice: string) => number | undefined;
  setPaid: (choice: string, at: number) => void;
}

/** How many paid choices are remembered. */
const paidMost = 20;

/** The memory on the device. `who` tells people of one browser apart: the account's number, or nothing for a guest. */
export function browserMemory(
  campaignId: number,
  who: () => number | undefined,
  random: () => string,
  now: Clock,
): BrowserMemory {
  const keysName = `tk-keys-${campaignId}`;
  const paidName = `tk-paid-${campaignId}`;
  const renewKeys = () => {
    const nonce = random();
    deviceStorage.setJson(keysName, nonce);
    return nonce;
  };
  const keys = () => deviceStorage.json(keysName, isText) ?? renewKeys();
  // Made before Pay is pressed, so that two tabs that are pressed at once have the same.
  keys();
  return {
    keyOf: (content) => `${keys()}-${hash(content)}`,
    renewKeys: () => void renewKeys(),
    underWay: (pledgeId) => paymentUnderWay(campaignId, who(), now, pledgeId),
    setUnderWay: (payment) => rememberUnderWay(campaignId, who(), now, payment),
    settled: (pledgeId) => forgetUnderWay(campaignId, who(), now, pledgeId),
    paidAt: (choice) =>
      deviceStorage.json(paidName, isPaidList)?.findLast(([one]) => one === hash(choice))?.[1],
    setPaid: (choice, at) => {
      deviceStorage.setJson(
        paidName,
        [...(deviceStorage.json(paidName, isPaidList) ?? []), [hash(choice), at]].slice(-paidMost),
      );
      // Of who is signed in the server tells it, in every browser.
      if (who() !== undefined) return;
      const { amount, email } = boughtBy(choice);
      rememberBacked(campaignId, { amount, at, mail: maskedMail(email) });
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isPaidList = (value: unknown): value is [string, number][] =>
  Array.isArray(value) && value.every((one: unknown) => Array.isArray(one) && isText(one[0]));

/**
 * 106 bits of a text, in hexadecimal (the public-domain cyrb53, with two seeds). It only tells contents of one browser
 * apart; what nobody may guess in a key is the random part before it.
 */
function hash(text: string): string {
  return [0, 1].map((seed) => cyrb53(text, seed).toString(16)).join('');
}

function cyrb53(text: string, seed: number): number {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0);
}
