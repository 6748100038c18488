import type { ChildProcess } from 'node:child_process';

declare global {
  // Globals are the only way to pass a value from globalSetup to globalTeardown.
  var journeysHost: ChildProcess | undefined;
}
