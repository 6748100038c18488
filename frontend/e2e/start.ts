import { startPlatform } from './platform';

/** Campaigns with demo backers: enough to show progress, a list of backers and stock that was taken. */
const backed = ['njuolla-ja-revontulten-nuotit'];

export default async function start() {
  globalThis.journeysHost = await startPlatform(['-backers', backed.join(',')]);
}
