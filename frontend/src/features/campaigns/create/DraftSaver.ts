import type { ApiError } from '../../../api/apiError';
import { retryLater } from '../../../ui/loadWithRetry';
import type { DraftCalls, Result } from './calls';
import type { DraftRecord, DraftRow } from './record';
import { beginningOf, differences, type Wire } from './wire';

/** Where what was typed is. */
export type DraftStatus =
  /** On the device only: nobody is signed in, or there is no name yet. */
  | { is: 'onDevice' }
  | { is: 'saving' }
  /** On the server; `at` in milliseconds. */
  | { is: 'saved'; at: number }
  /** The connection is lost, or the service is down; it is tried again by itself. */
  | { is: 'failed' }
  /** The server refuses what was typed. */
  | { is: 'refused'; error: ApiError }
  | { is: 'signedOut' }
  /** The draft was changed elsewhere, such as on its own page. */
  | { is: 'conflict' };

export interface DraftSaverOptions {
  record: DraftRecord;
  keep: (record: DraftRecord) => void;
  /** Whether the device still has a draft: signing out forgets it. */
  isKept: () => boolean;
  wireOf: (record: DraftRecord) => Wire | undefined;
  calls: DraftCalls;
  now: () => number;
  newKey: () => string;
}

/** Pause after the last change of a draft that exists, in milliseconds. */
const pause = 1_200;

/**
 * Brings a new campaign to the server: begins the draft once, then sends what differs, one call after the other.
 * Invariant: what was typed is on the device until the server has it.
 */
export class DraftSaver {
  #options: DraftSaverOptions;
  #record: DraftRecord;
  #userId: number | undefined;
  #status: DraftStatus = { is: 'onDevice' };
  #listeners = new Set<() => void>();
  #running: Promise<boolean> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isStopped = false;
  #isLeft = false;
  #stopRetrying: () => void = () => undefined;

  constructor(options: DraftSaverOptions) {
    this.#options = options;
    this.#record = options.record;
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  getStatus = (): DraftStatus => this.#status;

  get row(): DraftRow | undefined {
    return this.#record.row;
  }

  /** Somebody has signed in or out. Of another person's draft only the typed text goes on, as a draft of its own. */
  setUser(userId: number | undefined): void {
    if (userId === this.#userId) return;
    const wasSignedIn = this.#userId !== undefined;
    this.#userId = userId;
    this.#stopRetrying();
    if (userId === undefined) {
      if (wasSignedIn) this.#show({ is: 'signedOut' });
      return;
    }
    const owner = this.#record.row?.userId ?? this.#record.pending?.userId;
    if (owner !== undefined && owner !== userId)
      this.#update({ row: undefined, saved: undefined, pending: undefined });
    void this.flush();
  }

  /** Something was typed. A draft that exists follows after a pause. */
  change(change: Partial<Pick<DraftRecord, 'values' | 'part' | 'done'>>): void {
    this.#update(change);
    if (this.#status.is === 'refused') this.#show({ is: this.row ? 'saving' : 'onDevice' });
    if (!this.row || !this.#next()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), pause);
  }

  /** Sends everything now. Whether the server has it all. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#stopRetrying();
    for (;;) {
      this.#running ??= this.#sendAll().finally(() => {
        this.#running = undefined;
      });
      if (!(await this.#running)) return false;
      if (!this.#next()) return true;
    }
  }

  /**
   * The page is left: what waits is sent once more. What does not arrive stays on the device, unless the device has
   * forgotten the draft since.
   */
  leave(): void {
    this.#isLeft = true;
    if (!this.#isStopped) void this.flush().finally(() => this.#stopRetrying());
  }

  /** Nothing is kept or sent any more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#stopRetrying();
  }

  async #sendAll(): Promise<boolean> {
    let isSent = this.#status.is !== 'saved';
    for (let next = this.#next(); next; next = this.#next()) {
      if (this.#isStopped || this.#userId === undefined || this.#status.is === 'conflict') return false;
      this.#show({ is: 'saving' });
      const error = await next();
      if (error) {
        this.#fail(error);
        return false;
      }
      this.#failures = 0;
      isSent = true;
    }
    if (!this.row || this.#userId === undefined) return false;
    if (isSent) this.#show({ is: 'saved', at: this.#options.now() });
    return true;
  }

  /** The next call that is due; it returns why it failed. */
  #next(): (() => Promise<ApiError | undefined>) | undefined {
    const { row, saved, pending } = this.#record;
    const wanted = this.#options.wireOf(this.#record);
    if (!row || !saved) return (pending ?? wanted) ? () => this.#begin(wanted) : undefined;
    if (!wanted) return undefined;
    const { calls } = this.#options;
    const settings = differences(wanted.settings, saved.settings);
    if (Object.keys(settings).length > 0)
      return () =>
        this.#send(calls.settings(row, settings), { settings: { ...saved.settings, ...settings } });
    const { language } = wanted.texts;
    const isMoved = language !== saved.texts.language;
    if (isMoved || Object.keys(differences(wanted.texts, saved.texts)).length > 0)
      return () =>
        this.#send(calls.texts(row, wanted.texts, saved.texts.language), {
          texts: wanted.texts,
          // Their texts are in the language before.
          ...(isMoved && { goals: undefined, reward: saved.reward && { ...saved.reward, title: '' } }),
        });
    const { categories, goals, reward } = wanted;
    if (categories && !isSame(categories, saved.categories))
      return () => this.#send(calls.categories(row, categories), { categories });
    if (Object.keys(differences(wanted.meta, saved.meta)).length > 0)
      return () => this.#send(calls.meta(row, wanted.meta), { meta: wanted.meta });
    if (goals && !isSame(goals, saved.goals))
      return () => this.#send(calls.goals(row, language, goals), { goals });
    if (reward && !isSame(reward, saved.reward)) return () => this.#sendReward(row, wanted, saved);
    return undefined;
  }

  /** With a key, so that a repeat after a lost answer makes no second draft; with the same body, as the key wants. */
  async #begin(wanted: Wire | undefined): Promise<ApiError | undefined> {
    const { calls, newKey } = this.#options;
    if (!this.#record.pending && wanted && this.#userId !== undefined) {
      const beginning = beginningOf(this.#record.values.variant, wanted);
      this.#update({ pending: { key: newKey(), beginning, wire: wanted, userId: this.#userId } });
    }
    const { pending } = this.#record;
    if (!pending) return undefined;
    const { data, error } = await calls.begin(pending.beginning, pending.key);
    if (error) {
      // Refused: nothing was begun, and the next try may say something else.
      if (error.http >= 400 && error.http < 500 && error.http !== 401 && error.http !== 429)
        this.#update({ pending: undefined });
      return error;
    }
    const { campaign_id, slug, version } = data.campaign;
    const row = { campaignId: campaign_id, slug, version, userId: pending.userId };
    this.#update({ pending: undefined, row, saved: pending.wire });
    return undefined;
  }

  async #send(
    sent: Promise<Result<{ version: number; slug?: string }>>,
    saved: Partial<Wire>,
  ): Promise<ApiError | undefined> {
    const { data, error } = await sent;
    if (error) return error;
    this.#saved(saved, { version: data.version, ...(data.slug && { slug: data.slug }) });
    return undefined;
  }

  async #sendReward(row: DraftRow, { reward, texts }: Wire, saved: Wire): Promise<ApiError | undefined> {
    if (!reward) return undefined;
    const { calls } = this.#options;
    let { rewardId } = row;
    if (rewardId === undefined) {
      const found = await calls.rewardId(row, texts.language, saved.reward !== undefined);
      if (found.error) return found.error;
      rewardId = found.data;
      this.#saved({}, { rewardId });
    }
    const { error } = await calls.reward(rewardId, texts.language, reward);
    if (!error) this.#saved({ reward }, {});
    // Of the form the reward is a part, with a title of its own.
    const fields = error?.fields?.map((fault) => ({ ...fault, path: `rewards[0].${fault.path}` }));
    return error && { ...error, fields };
  }

  #saved(saved: Partial<Wire>, row: Partial<DraftRow>): void {
    if (!this.#record.row || !this.#record.saved) return;
    this.#update({ saved: { ...this.#record.saved, ...saved }, row: { ...this.#record.row, ...row } });
  }

  #fail(error: ApiError): void {
    if (error.http === 401) this.#show({ is: 'signedOut' });
    else if (error.http === 412) this.#show({ is: 'conflict' });
    else if (error.http !== 0 && error.http < 500 && error.http !== 429) this.#show({ is: 'refused', error });
    else {
      this.#show({ is: 'failed' });
      if (this.#isLeft) return;
      this.#failures += 1;
      this.#stopRetrying = retryLater(this.#failures, () => void this.flush()).cancel;
    }
  }

  #update(change: Partial<DraftRecord>): void {
    this.#record = { ...this.#record, ...change };
    const isForgotten = this.#isLeft && !this.#options.isKept();
    if (!this.#isStopped && !isForgotten) this.#options.keep(this.#record);
  }

  #show(status: DraftStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
