import { stopPlatform } from './platform';

export default async function stop() {
  if (globalThis.journeysHost) await stopPlatform(globalThis.journeysHost);
}
