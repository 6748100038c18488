import type { ChildProcess } from 'node:child_process';

declare global {
  // Jest's start and stop share nothing else.
  var journeysHost: ChildProcess | undefined;
}
