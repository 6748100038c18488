import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The base addresses of the platform under test, without a trailing slash. */
export interface Platform {
  web: string;
  sandbox: string;
  mail: string;
  /** The API key of the sandbox provider. */
  provider_key: string;
  /** The base address of the test controls, such as moving a campaign's first day (scripts/journeyhost/control.go). */
  control: string;
}

const variable = 'JOURNEYS_PLATFORM';
const root = path.resolve(__dirname, '../..');

/** Where screenshots are written. Ignored by git. */
export const outputDir = path.join(root, 'bin', 'journeys');

/** The platform that was started for this run. */
export function platform(): Platform {
  const text = process.env[variable];
  if (!text) throw new Error('The journeys have no platform: start them with npm run journeys.');
  return JSON.parse(text) as Platform;
}

/** Starts a platform (scripts/journeyhost) unless the environment names a running one. Closing its stdin stops it. */
export async function startPlatform(flags: readonly string[]): Promise<ChildProcess | undefined> {
  if (process.env[variable]) return undefined;
  const host = spawn('go', ['run', './scripts/journeyhost', ...flags], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  host.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(host, 'exit');
  const line = await Promise.race([
    once(createInterface(host.stdout), 'line').then(([text]) => String(text)),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new Error(`The platform did not start:\n${said}`);
  process.env[variable] = line;
  return host;
}

/** Stops a platform of startPlatform. Fails if it has ended before. */
export async function stopPlatform(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null) throw new Error('The platform stopped during the journeys.');
  const ended = once(host, 'exit');
  host.stdin?.end();
  await ended;
}
