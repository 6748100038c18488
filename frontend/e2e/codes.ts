import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { outputDir } from './platform';

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

/** The last time step of each secret of which a code was given. The journeys' workers share it. */
const stepsFile = path.join(outputDir, 'code-steps.json');

/** Takes the first time step of a secret that no worker has taken. */
async function takeStep(secret: string): Promise<number> {
  mkdirSync(outputDir, { recursive: true });
  const lock = `${stepsFile}.lock`;
  while (!tryToLock(lock)) await setTimeout(20);
  try {
    const steps = existsSync(stepsFile)
      ? (JSON.parse(readFileSync(stepsFile, 'utf8')) as Record<string, number>)
      : {};
    const step = Math.max(stepNow(), (steps[secret] ?? 0) + 1);
    writeFileSync(stepsFile, JSON.stringify({ ...steps, [secret]: step }));
    return step;
  } finally {
    rmSync(lock);
  }
}

function tryToLock(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch {
    // Another worker has it. One that was left by a worker that was stopped is over.
    if (existsSync(file) && Date.now() - statSync(file).mtimeMs > 5_000) rmSync(file, { force: true });
    return false;
  }
}

const stepNow = () => Math.floor(Date.now() / 1000 / stepSeconds);

/**
 * A code that was not used yet: the server takes each once, and those of the next half minute too. Waits for one if need
 * be.
 */
export async function freshCode(secret: string): Promise<string> {
  const step = await takeStep(secret);
  while (step > stepNow() + 1) await setTimeout(500);
  return codeAt(secret, step);
}
