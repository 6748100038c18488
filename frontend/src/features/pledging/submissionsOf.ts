import type { Clock } from '../../api/clock';
import { tabStorage } from '../../api/deviceStorage';
import { browserMemory } from './flow/browserMemory';
import { keptSubmissions, randomKey, type Submissions } from './flow/submissions';

/** The submissions to one campaign in this browser. `who`: the number of who is signed in, if anybody is. */
export function submissionsOf(campaignId: number, who: () => number | undefined, now: Clock): Submissions {
  const memory = browserMemory(campaignId, who, randomKey, now);
  return keptSubmissions(tabStorage, campaignId, memory);
}
