import type { Config } from 'jest';
import { startPlatform } from './platform';

/** The flags of scripts/journeyhost come from the configuration. */
export default async function start(_: Config, { globals }: { globals: { hostFlags: string[] } }) {
  globalThis.journeysHost = await startPlatform(globals.hostFlags);
}
