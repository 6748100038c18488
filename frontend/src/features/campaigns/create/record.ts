import { deviceStorage, isObject } from '../../../api/deviceStorage';
import { unsavedKeyPrefix } from '../../../api/session';
import type { Unsaved } from '../../../ui/saving/unsaved';
import type { DraftValues, Part, Variant } from './values';
import type { Wire } from './wire';

/** The draft on the server. */
export interface ServerDraft {
  campaignId: number;
  slug: string;
  rewardId?: number;
}

/** What is stored on the device about a new campaign until its page for editing is opened. */
export interface DraftRecord {
  values: DraftValues;
  /** The part that is open. */
  part: Part;
  /** The parts that have been submitted once. */
  done: readonly Part[];
  /** How it is being created or was, and by whom. For another user who signs in on this device, a draft of their own is created. */
  creation?: { variant: Variant; userId: number };
  draft?: ServerDraft;
  /** What the server has: the version, its values, and when it got them last, in milliseconds since 1970. */
  saved?: { version: number; known: Wire; at?: number };
  /** What it does not have yet of what is typed. */
  unsaved?: Unsaved<Wire>;
}

const storageKey = `${unsavedKeyPrefix}-new-campaign`;

/** Reads the stored draft; undefined if there is none or it is not valid. */
export function readRecord(): DraftRecord | undefined {
  return deviceStorage.json(storageKey, isRecord);
}

function isRecord(value: unknown): value is DraftRecord {
  if (!isObject(value) || !isObject(value.values)) return false;
  return (
    typeof value.values.title === 'string' && Array.isArray(value.values.goals) && Array.isArray(value.done)
  );
}

/**
 * The stored draft, unless it is of another person than who is signed in, whose session has ended. While nobody is
 * signed in it is shown: whoever typed it goes on.
 */
export function readOwnRecord(userId: number | undefined): DraftRecord | undefined {
  const record = readRecord();
  const owner = record?.creation?.userId;
  return owner === undefined || userId === undefined || owner === userId ? record : undefined;
}

/** Stores the draft on the device. Without a record, removes it. */
export function storeRecord(record?: DraftRecord): void {
  if (record) deviceStorage.setJson(storageKey, record);
  else deviceStorage.remove(storageKey);
}
