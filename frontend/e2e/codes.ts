import { createHmac } from 'node:crypto';

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

const lastSteps = new Map<string, number>();

/**
 * A code that was not used yet: the server takes each once, and those of the next half minute too. Waits for one if need
 * be.
 */
export async function freshCode(secret: string): Promise<string> {
  const now = () => Math.floor(Date.now() / 1000 / stepSeconds);
  const step = Math.max(now(), (lastSteps.get(secret) ?? 0) + 1);
  lastSteps.set(secret, step);
  while (step > now() + 1) await new Promise((resolve) => setTimeout(resolve, 500));
  return codeAt(secret, step);
}
