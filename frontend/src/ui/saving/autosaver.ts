import { isTransient, type ApiError } from '../../api/apiError';
import { retryLater } from '../loadWithRetry';
import { isFixed, isRefusal } from './failures';
import type { Creation, MergeVersions } from './unsaved';
import { UnsavedParts, type UnsavedPartsOptions } from './unsavedParts';

/** The state of autosaving, as shown to the user. */
export type SaveStatus =
  /** Everything is saved. `at`: when this page last saved something, in milliseconds since 1970. */
  | { is: 'saved'; at?: number }
  /** There are unsaved changes, which are sent after a pause in typing. */
  | { is: 'waiting' }
  | { is: 'saving' }
  /** The save failed. `isRetried`: it is retried automatically; otherwise the value has to be changed first. */
  | { is: 'failed'; error: ApiError; isRetried: boolean }
  /** The session has expired; saving resumes after sign-in. */
  | { is: 'signedOut' }
  /** Somebody else has saved a newer version (412); nothing is sent until the conflict is resolved. */
  | { is: 'conflict' }
  /** Everything is saved but the parts in which a question is open; see Merged. */
  | { is: 'asking' };

/** The result of saving: the new version, or the error. */
export type Sent = { version: number } | { error: ApiError };

/** The result of saving a part. `saved`: what the server took of it before the error. */
export type SentPart<Value> = Sent & { saved?: { version: number; value: Value } };

export interface AutosaverOptions<Parts> extends UnsavedPartsOptions<Parts> {
  /** Saves one part; `version` is for If-Match. */
  send: <Name extends keyof Parts & string>(
    part: Name,
    value: Parts[Name],
    version: number,
  ) => Promise<SentPart<Parts[Name]>>;
  /** Creates what is not on the server yet. Resolves to the values that it has then, too. Never called by a pause in typing. */
  create?: (creation: Creation<Parts>) => Promise<Sent & { parts?: Partial<Parts> }>;
  /** Nothing is sent but by `flush`, and nothing sent again by itself: for what has effects the moment it is saved. */
  isManual?: boolean;
  /** Whether the writer is signed in: nothing is sent after they have signed out, or under another person's name. */
  isSignedIn: () => boolean;
  /** In milliseconds since 1970. */
  now: () => number;
  /** A part that can never change again is dropped here; the page shows the server's value. */
  onFixed?: (part: keyof Parts & string) => void;
  /** The pause in typing after which changes are sent, in milliseconds. */
  delay?: number;
}

/** The version of what is not on the server yet. */
export const notCreated = 0;

/** The default for `delay`: long enough to type a word, short enough that people trust the autosave. */
const usualDelay = 1_200;

/**
 * Saves what is typed part by part (a title, a language's text, a setting), one request at a time; UnsavedParts keeps
 * it on the device until the server has it. Invariants: what was typed is on the server or on the device, unless the
 * server has refused it for good; requests never overlap; a change that somebody else has made is never overwritten
 * without asking.
 */
export class Autosaver<Parts extends object> {
  #options: AutosaverOptions<Parts>;
  #unsaved: UnsavedParts<Parts>;
  #status: SaveStatus;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The end of the request queue; see `runExclusive`. */
  #queue: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #savedAt: number | undefined;
  #stopRetrying: () => void = () => undefined;

  constructor(options: AutosaverOptions<Parts>) {
    this.#options = options;
    this.#unsaved = new UnsavedParts({
      ...options,
      onMerged: (part, versions) => this.#options.onMerged?.(part, versions),
    });
    this.#status = this.#rest();
    if (this.#unsaved.isRestored) this.#schedule();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  getStatus = (): SaveStatus => this.#status;

  /** The values that are not saved yet, including those that an earlier visit left on the device. */
  get unsaved(): Readonly<Partial<Parts>> {
    return this.#unsaved.parts;
  }

  /** The server's values, as last read or saved; of a part that is being merged what the next merge is based on. */
  get known(): Readonly<Partial<Parts>> {
    return this.#unsaved.known;
  }

  /** The server's version that the next save is based on. */
  get version(): number {
    return this.#unsaved.version;
  }

  /** When something was saved last here, in milliseconds since 1970. */
  get savedAt(): number | undefined {
    return this.#savedAt;
  }

  /** The errors of rejected parts, to be shown at their fields; also of those that were dropped. */
  get refused(): Readonly<Partial<Record<keyof Parts, ApiError>>> {
    return this.#unsaved.refused;
  }

  /** The versions of a part in which a question is open; undefined if none is. */
  asking<Name extends keyof Parts & string>(part: Name): MergeVersions<Parts[Name]> | undefined {
    return this.#unsaved.asking(part);
  }

  /** Replaces what is called, because a component's callbacks change from render to render. */
  set callbacks(
    callbacks: Partial<Pick<AutosaverOptions<Parts>, 'send' | 'create' | 'onFixed' | 'onMerged'>>,
  ) {
    this.#options = { ...this.#options, ...callbacks };
  }

  /** Takes a typed value: stores it on the device and schedules its save. */
  change<Name extends keyof Parts>(part: Name, value: Parts[Name]): void {
    this.#unsaved.change(part, value);
    if (this.#isHalted()) return;
    this.#stopRetrying();
    if (this.#status.is !== 'saving') this.#show({ is: 'waiting' });
    this.#schedule();
  }

  /** Saves everything now. Resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#stopRetrying();
    if (this.#options.isManual) this.#unsaved.forgetRefusals();
    do if (!(await this.#run())) return false;
    while (!this.#options.isManual && this.#unsaved.sendable().length > 0);
    return this.#unsaved.names().length === 0;
  }

  /**
   * Runs another request that changes the same resource when no save is running, and holds back saves until it has
   * ended. `act` has to include reading the version that the request creates. It must not await `flush`, which waits
   * for it: a deadlock.
   */
  runExclusive<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Continues after sign-in, or retries at once when the user asks for it. */
  resume = (): void => {
    if (this.#options.isManual) {
      if (this.#status.is === 'signedOut') this.#show(this.#rest());
    } else if (this.#status.is === 'signedOut' || this.#status.is === 'failed') void this.flush();
  };

  /**
   * The page is left: sends what is unsaved once, without retries. What fails stays on the device for the next visit.
   * If that has begun already and has stored values of its own there, they are not overwritten.
   */
  async leave(): Promise<void> {
    this.#unsaved.draft.isLeft = true;
    if (this.#status.is !== 'signedOut' && !this.#options.isManual) await this.flush();
    clearTimeout(this.#timer);
    this.#stopRetrying();
  }

  /** The page is shown (again): undoes `leave`. */
  enter(): void {
    this.#unsaved.draft.isLeft = false;
  }

  /**
   * The page has read a version: later saves are based on it, unless somebody else has changed a part that has unsaved
   * changes here and cannot be merged (then the next save fails with a conflict). Returns the parts that others have changed and that have
   * no unsaved changes, so that the page shows the new values.
   */
  acceptVersion(version: number, theirs: Parts): (keyof Parts & string)[] {
    return this.#unsaved.acceptVersion(version, theirs);
  }

  /**
   * After a conflict: bases the unsaved parts on the server's version and sends them. If one of them was changed on
   * both sides, returns its name instead: the user chooses first (`keepMine` or `discard`). From the second conflict in
   * a row on it pauses before sending, because somebody else may be saving other parts all the time.
   */
  rebase(version: number, theirs: Parts): (keyof Parts & string) | undefined {
    const part = this.#unsaved.rebase(version, theirs);
    if (part !== undefined) return part;
    this.#stopRetrying();
    this.#show(this.#rest());
    if (this.#unsaved.sendable().length === 0) return undefined;
    this.#failures += 1;
    if (this.#failures === 1) void this.flush();
    else this.#flushLater(this.#failures - 1);
    return undefined;
  }

  /** The user keeps their own version of a part: it may overwrite the other one. */
  keepMine(part: keyof Parts & string, theirs: Parts): void {
    this.#unsaved.keepMine(part, theirs);
  }

  /**
   * The user has chosen in a place that both had changed. `base`: what the next merge of the part is based on. When no
   * other question is open the part is sent.
   */
  answer<Name extends keyof Parts & string>(part: Name, base: Parts[Name], isAsking: boolean): void {
    this.#unsaved.answer(part, base, isAsking);
    if (isAsking || this.#isHalted()) return;
    this.#show(this.#rest());
    void this.flush();
  }

  /** Discards the unsaved value of a part; of all parts if none is named. */
  discard(part?: keyof Parts): void {
    this.#unsaved.discard(part);
    if (this.#status.is === 'waiting' || this.#status.is === 'failed') this.#show(this.#rest());
  }

  /** Whether nothing is sent before the user has signed in, or has chosen. */
  #isHalted(): boolean {
    return this.#status.is === 'conflict' || this.#status.is === 'signedOut';
  }

  /** The status while nothing is being sent. */
  #rest(): SaveStatus {
    if (this.#unsaved.names().length === 0) return { is: 'saved', at: this.#savedAt };
    return this.#unsaved.sendable().length === 0 && this.#unsaved.hasQuestion()
      ? { is: 'asking' }
      : { is: 'waiting' };
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#options.isManual || this.#unsaved.version === notCreated) return;
    this.#timer = setTimeout(() => void this.#run(), this.#options.delay ?? usualDelay);
  }

  /** Queues a save of what is unsaved. What is typed while it runs has its own timer. */
  #run(): Promise<boolean> {
    return this.runExclusive(() => this.#sendAll());
  }

  async #sendAll(): Promise<boolean> {
    if (this.#status.is === 'conflict') return false;
    if (this.#unsaved.sendable().length === 0) {
      if (this.#unsaved.hasQuestion()) this.#show(this.#rest());
      return this.#unsaved.names().length === 0;
    }
    if (!this.#isSignedIn()) return false;
    this.#show({ is: 'saving' });
    if (this.#unsaved.version === notCreated && !(await this.#create())) return false;
    for (const name of this.#unsaved.sendable()) {
      // It may have been discarded, or be a question by now.
      if (!this.#unsaved.sendable().includes(name)) continue;
      if (!this.#isSignedIn() || !(await this.#sendPart(name))) return false;
    }
    this.#failures = 0;
    const [refusal] = this.#unsaved.names().flatMap((name) => this.#unsaved.refused[name] ?? []);
    if (refusal && this.#unsaved.sendable().length === 0) {
      this.#show({ is: 'failed', error: refusal, isRetried: false });
      return false;
    }
    this.#show(this.#rest());
    return true;
  }

  /** Resolves to whether the next part can be sent: this one is saved, or was refused for its value. */
  async #sendPart(name: keyof Parts & string): Promise<boolean> {
    const { value, earlier } = this.#unsaved.begin(name);
    const sent = await this.#options.send(name, value, this.#unsaved.version);
    if (!('error' in sent)) {
      this.#savedAt = this.#options.now();
      this.#unsaved.taken(name, value, sent.version);
      return true;
    }
    const { error, saved } = sent;
    if (saved) this.#unsaved.takenInPart(name, saved.value, saved.version);
    if (!isTransient(error)) this.#unsaved.notTaken(name, earlier);
    if (!isAboutOnePart(error)) {
      this.#fail(error);
      return false;
    }
    const isStill = this.#unsaved.isStill(name, value);
    if (isFixed(error)) {
      this.#unsaved.drop(name);
      this.#options.onFixed?.(name);
    }
    if (isStill || isFixed(error)) this.#unsaved.refuse(name, error);
    return true;
  }

  #isSignedIn(): boolean {
    const isSignedIn = this.#options.isSignedIn();
    if (!isSignedIn) this.#show({ is: 'signedOut' });
    return isSignedIn;
  }

  /** Resolves to whether it is on the server, with what it was created with; what was typed since is still to be sent. */
  async #create(): Promise<boolean> {
    const { create } = this.#options;
    if (!create) return true;
    const creation = this.#unsaved.beginCreation();
    const created = await create(creation);
    if ('error' in created) {
      if (isRefusal(created.error)) this.#unsaved.creationRefused(creation, created.error);
      this.#fail(created.error);
      return false;
    }
    this.#unsaved.created(created.version, created.parts);
    this.#savedAt = this.#options.now();
    return true;
  }

  #fail(error: ApiError): void {
    const mayPass = isTransient(error);
    const isRetried = mayPass && !this.#options.isManual;
    this.#show(
      error.http === 401 && !mayPass
        ? { is: 'signedOut' }
        : error.http === 412 && !mayPass
          ? { is: 'conflict' }
          : { is: 'failed', error, isRetried },
    );
    if (!isRetried || this.#unsaved.draft.isLeft) return;
    this.#failures += 1;
    this.#stopRetrying(); // Two queued saves can fail one after the other.
    this.#flushLater(this.#failures);
  }

  #flushLater(failures: number): void {
    this.#stopRetrying = retryLater(failures, () => void this.flush()).cancel;
  }

  #show(status: SaveStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the server rejected the value itself: no problem of the connection, the session or the version. */
const isAboutOnePart = (error: ApiError) => !isTransient(error) && error.http !== 401 && error.http !== 412;
