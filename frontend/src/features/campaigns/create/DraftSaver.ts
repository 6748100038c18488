import type { ApiError } from '../../../api/apiError';
import { retryLater } from '../../../ui/loadWithRetry';
import type { DraftCalls, Result } from './calls';
import type { DraftRecord, ServerDraft } from './record';
import { createRequestOf, differences, type Wire } from './wire';

/** Whether what was typed is saved. */
export type DraftStatus =
  /** On the device only: nobody is signed in, or there is no title yet. */
  | { is: 'onDevice' }
  | { is: 'saving' }
  /** On the server since `at`, in milliseconds since 1970. */
  | { is: 'saved'; at: number }
  /** The connection is lost, or the service is down; saving is retried automatically. */
  | { is: 'failed' }
  /** The server refuses what was typed. */
  | { is: 'refused'; error: ApiError }
  /** The session has ended; what was typed is on the device. */
  | { is: 'signedOut' }
  /** The draft was changed elsewhere, such as on its page; nothing more is saved here. */
  | { is: 'conflict' };

/** What a DraftSaver needs from its surroundings. */
export interface DraftSaverOptions {
  record: DraftRecord;
  /** Stores the record on the device. */
  store: (record: DraftRecord) => void;
  /** Whether the draft is still on the device: signing out removes it. */
  isStored: () => boolean;
  /** The values that the server should have; undefined if there is nothing to save yet. */
  wireOf: (record: DraftRecord) => Wire | undefined;
  calls: DraftCalls;
  /** In milliseconds since 1970. */
  now: () => number;
  /** Makes an Idempotency-Key. */
  newKey: () => string;
}

/** The pause between the last change and saving it, in milliseconds. */
const pause = 1_200;

/**
 * Saves a new campaign on the server: creates the draft once, then sends the differences, one request after the other.
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

  get draft(): ServerDraft | undefined {
    return this.#record.draft;
  }

  /** Call it when somebody signs in or out. What was typed into another user's draft becomes a new draft. */
  setUser(userId: number | undefined): void {
    if (userId === this.#userId) return;
    const wasSignedIn = this.#userId !== undefined;
    this.#userId = userId;
    this.#stopRetrying();
    if (userId === undefined) {
      if (wasSignedIn) this.#show({ is: 'signedOut' });
      return;
    }
    const owner = this.#record.draft?.userId ?? this.#record.pending?.userId;
    if (owner !== undefined && owner !== userId)
      this.#update({ draft: undefined, saved: undefined, pending: undefined });
    void this.flush();
  }

  /** Records a change. If the draft is on the server already, the change is sent after a pause. */
  change(change: Partial<Pick<DraftRecord, 'values' | 'part' | 'done'>>): void {
    this.#update(change);
    if (this.#status.is === 'refused') this.#show({ is: this.draft ? 'saving' : 'onDevice' });
    if (!this.draft || !this.#next()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), pause);
  }

  /** Sends everything now. Resolves to whether the server then has everything. */
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
   * Call it when the page is left: unsaved changes are sent, without retries. If that fails, they stay on the device,
   * unless the draft has been removed from there meanwhile.
   */
  leave(): void {
    this.#isLeft = true;
    if (!this.#isStopped) void this.flush().finally(() => this.#stopRetrying());
  }

  /** Stops storing and sending. */
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
    if (!this.draft || this.#userId === undefined) return false;
    if (isSent) this.#show({ is: 'saved', at: this.#options.now() });
    return true;
  }

  /** The next request to send, which resolves to its error; undefined if there is none. */
  #next(): (() => Promise<ApiError | undefined>) | undefined {
    const { draft, saved, pending } = this.#record;
    const wanted = this.#options.wireOf(this.#record);
    if (!draft || !saved) return (pending ?? wanted) ? () => this.#create(wanted) : undefined;
    if (!wanted) return undefined;
    const { calls } = this.#options;
    const settings = differences(wanted.settings, saved.settings);
    if (Object.keys(settings).length > 0)
      return () =>
        this.#send(calls.settings(draft, settings), { settings: { ...saved.settings, ...settings } });
    const { language } = wanted.texts;
    const isMoved = language !== saved.texts.language;
    if (isMoved || Object.keys(differences(wanted.texts, saved.texts)).length > 0)
      return () =>
        this.#send(calls.texts(draft, wanted.texts, saved.texts.language), {
          texts: wanted.texts,
          // The server has the goals and the reward in the previous language, so they are sent again.
          ...(isMoved && { goals: undefined, reward: saved.reward && { ...saved.reward, title: '' } }),
        });
    const { categories, goals, reward } = wanted;
    if (categories && !isSame(categories, saved.categories))
      return () => this.#send(calls.categories(draft, categories), { categories });
    if (Object.keys(differences(wanted.meta, saved.meta)).length > 0)
      return () => this.#send(calls.meta(draft, wanted.meta), { meta: wanted.meta });
    if (goals && !isSame(goals, saved.goals))
      return () => this.#send(calls.goals(draft, language, goals), { goals });
    if (reward && !isSame(reward, saved.reward)) return () => this.#sendReward(draft, wanted, saved);
    return undefined;
  }

  /** The request is stored and repeated with the same key and body, so that a lost response makes no second draft. */
  async #create(wanted: Wire | undefined): Promise<ApiError | undefined> {
    const { calls, newKey } = this.#options;
    if (!this.#record.pending && wanted && this.#userId !== undefined) {
      const request = createRequestOf(this.#record.values.variant, wanted);
      this.#update({ pending: { key: newKey(), request, wire: wanted, userId: this.#userId } });
    }
    const { pending } = this.#record;
    if (!pending) return undefined;
    const { data, error } = await calls.create(pending.request, pending.key);
    if (error) {
      // Refused: no draft was created, so the next attempt may have another body.
      if (error.http >= 400 && error.http < 500 && error.http !== 401 && error.http !== 429)
        this.#update({ pending: undefined });
      return error;
    }
    const { campaign_id, slug, version } = data.campaign;
    const draft = { campaignId: campaign_id, slug, version, userId: pending.userId };
    this.#update({ pending: undefined, draft, saved: pending.wire });
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

  async #sendReward(draft: ServerDraft, { reward, texts }: Wire, saved: Wire): Promise<ApiError | undefined> {
    if (!reward) return undefined;
    const { calls } = this.#options;
    let { rewardId } = draft;
    if (rewardId === undefined) {
      const found = await calls.rewardId(draft, texts.language, saved.reward !== undefined);
      if (found.error) return found.error;
      rewardId = found.data;
      this.#saved({}, { rewardId });
    }
    const { error } = await calls.reward(rewardId, texts.language, reward);
    if (!error) this.#saved({ reward }, {});
    // The endpoint's paths, such as title, would mean the campaign's fields in the form.
    const fields = error?.fields?.map((fault) => ({ ...fault, path: `rewards[0].${fault.path}` }));
    return error && { ...error, fields };
  }

  #saved(saved: Partial<Wire>, draft: Partial<ServerDraft>): void {
    if (!this.#record.draft || !this.#record.saved) return;
    this.#update({ saved: { ...this.#record.saved, ...saved }, draft: { ...this.#record.draft, ...draft } });
  }

  #fail(error: ApiError): void {
    if (error.http === 401) this.#show({ is: 'signedOut' });
    else if (error.http === 412) this.#show({ is: 'conflict' });
    else if (error.http !== 0 && error.http < 500 && error.http !== 429) this.#show({ is: 'refused', error });
    else {
      this.#show({ is: 'failed' });
      if (this.#isLeft) return;
      this.#failures += 1;
      this.#stopRetrying(); // Two queued saves can fail one after the other.
      this.#stopRetrying = retryLater(this.#failures, () => void this.flush()).cancel;
    }
  }

  #update(change: Partial<DraftRecord>): void {
    this.#record = { ...this.#record, ...change };
    const isRemoved = this.#isLeft && !this.#options.isStored();
    if (!this.#isStopped && !isRemoved) this.#options.store(this.#record);
  }

  #show(status: DraftStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
