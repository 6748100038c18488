import { unsavedKeyPrefix } from '../../../api/session';
import type { Beginning, Wire } from './wire';
import type { DraftValues, Part } from './values';

/** The draft on the server. */
export interface DraftRow {
  campaignId: number;
  slug: string;
  version: number;
  /** Who began it; nobody else goes on with it on this device. */
  userId: number;
  rewardId?: number;
}

/** A draft that is being begun: repeated with the same key and body, it is begun once. */
export interface PendingBeginning {
  key: string;
  beginning: Beginning;
  wire: Wire;
  userId: number;
}

/** What the device keeps of a new campaign until its page is open. */
export interface DraftRecord {
  values: DraftValues;
  /** The part that is open. */
  part: Part;
  /** Parts that have been finished once. */
  done: readonly Part[];
  pending?: PendingBeginning;
  row?: DraftRow;
  /** What the server has. */
  saved?: Wire;
}

const storageKey = `${unsavedKeyPrefix}-new-campaign`;

export function readRecord(storage: Storage): DraftRecord | undefined {
  try {
    const record = JSON.parse(storage.getItem(storageKey) ?? 'null') as Partial<DraftRecord> | null;
    const isWhole = typeof record?.values?.title === 'string' && Array.isArray(record.values.goals);
    return isWhole && Array.isArray(record.done) ? (record as DraftRecord) : undefined;
  } catch {
    return undefined; // Truncated: the same as nothing.
  }
}

/** Without a record it is forgotten. */
export function keepRecord(storage: Storage, record?: DraftRecord): void {
  try {
    if (record) storage.setItem(storageKey, JSON.stringify(record));
    else storage.removeItem(storageKey);
  } catch (error) {
    // Full or switched off: what is typed is still on the page.
    console.warn('new campaign:', error);
  }
}
