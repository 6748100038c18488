import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

const stepSeconds = 30;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a code app at a time step (RFC 6238). */
function codeAt(secret: string, step: number): string {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The last time step of each secret of which a code was given. Each journey has secrets of its own. */
const taken = new Map<string, number>();

const stepNow = () => Math.floor(Date.now() / 1000 / stepSeconds);

/**
 * A code that was not used yet: the server takes each once, and those of the next half minute too. Waits for one if need
 * be.
 */
export async function freshCode(secret: string): Promise<string> {
  const step = Math.max(stepNow(), (taken.get(secret) ?? 0) + 1);
  taken.set(secret, step);
  while (step > stepNow() + 1) await setTimeout(100);
  return codeAt(secret, step);
}
