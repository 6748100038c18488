import type { DeskRun } from '../../../api/desk';

/** What of a run is its creator's in the end, in minor units. */
export const leftOf = (run: DeskRun) =>
  run.net_minor - run.offset_minor - run.bank_kept_minor - run.reversed_minor;
