import { unsavedKeyPrefix } from '../../../api/session';
import type { CreateRequest, Wire } from './wire';
import type { DraftValues, Part } from './values';

/** The draft on the server. */
export interface ServerDraft {
  campaignId: number;
  slug: string;
  /** For If-Match. */
  version: number;
  /** Who created it. For another user who signs in on this device, a draft of their own is created. */
  userId: number;
  rewardId?: number;
}

/**
 * A request to create the draft that has had no response yet. It is repeated with the same key and body, so that only
 * one draft is created.
 */
export interface PendingCreation {
  /** The Idempotency-Key. */
  key: string;
  request: CreateRequest;
  wire: Wire;
  userId: number;
}

/** What is stored on the device about a new campaign until its page for editing is opened. */
export interface DraftRecord {
  values: DraftValues;
  /** The part that is open. */
  part: Part;
  /** The parts that have been submitted once. */
  done: readonly Part[];
  pending?: PendingCreation;
  draft?: ServerDraft;
  /** The values that the server has. */
  saved?: Wire;
}

const storageKey = `${unsavedKeyPrefix}-new-campaign`;

/** Reads the stored draft; undefined if there is none or it is not valid. */
export function readRecord(storage: Storage): DraftRecord | undefined {
  try {
    const record = JSON.parse(storage.getItem(storageKey) ?? 'null') as Partial<DraftRecord> | null;
    const isWhole = typeof record?.values?.title === 'string' && Array.isArray(record.values.goals);
    return isWhole && Array.isArray(record.done) ? (record as DraftRecord) : undefined;
  } catch {
    return undefined; // Truncated, or storage is disabled: the same as no draft.
  }
}

/**
 * The stored draft, unless it is of another person than who is signed in, whose session has ended. While nobody is
 * signed in it is shown: whoever typed it goes on.
 */
export function readOwnRecord(storage: Storage, userId: number | undefined): DraftRecord | undefined {
  const record = readRecord(storage);
  const owner = record?.draft?.userId ?? record?.pending?.userId;
  return owner === undefined || userId === undefined || owner === userId ? record : undefined;
}

/** Stores the draft on the device. Without a record, removes it. */
export function storeRecord(storage: Storage, record?: DraftRecord): void {
  try {
    if (record) storage.setItem(storageKey, JSON.stringify(record));
    else storage.removeItem(storageKey);
  } catch (error) {
    // Storage is full or disabled: what is typed is still on the page.
    console.warn('new campaign:', error);
  }
}
