import { isTransient, type ApiError } from '../../api/apiError';
import { retryLater } from '../loadWithRetry';
import { isFixed, isRefusal } from './failures';
import type { LocalDraft } from './localDraft';

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

/** Unsaved values by part, and the server's version that they are based on. */
export interface Unsaved<Parts> {
  version: number;
  parts: Partial<Parts>;
  /** The values that they were typed over, where parts are merged. */
  base?: Partial<Parts>;
  sent?: SentValues<Parts>;
  creation?: Creation<Parts>;
}

/** A request to create what is not on the server yet. Until it is answered it is repeated as it was, so that one is created. */
export interface Creation<Parts> {
  /** The Idempotency-Key. */
  key: string;
  parts: Partial<Parts>;
}

/** The values of each part that were sent without an answer, the latest last. The server may have one of them. */
type SentValues<Parts> = { [Name in keyof Parts]?: readonly Parts[Name][] };

/** How many unanswered values of a part are remembered. */
const rememberedSent = 5;

/** The versions of a part that two people have changed. */
export interface MergeVersions<Value> {
  base: Value;
  mine: Value;
  theirs: Value;
  /** What was sent from here without an answer. */
  sent: readonly Value[];
}

/** Two people's versions of a part in one. */
export interface Merged<Value> {
  value: Value;
  /** What the next merge is based on. */
  base: Value;
  /** A place was changed by both: the part is not sent before the user has chosen there. */
  isAsking: boolean;
}

/** The result of saving: the new version, or the error. */
export type Sent = { version: number } | { error: ApiError };

/** The result of saving a part. `saved`: what the server took of it before the error. */
export type SentPart<Value> = Sent & { saved?: { version: number; value: Value } };

export interface AutosaverOptions<Parts> {
  /** The server's version that the page has loaded; `notCreated` if there is none yet. */
  version: number;
  /** The values of that version. Parts are sent in its order. */
  known: Parts;
  /** Whether two values of a part have the same content. */
  isSame: <Name extends keyof Parts & string>(one: Parts[Name], other: Parts[Name]) => boolean;
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
  localDraft: LocalDraft<Unsaved<Parts>>;
  /** In milliseconds since 1970. */
  now: () => number;
  /** Merges two people's versions of a part; undefined if the user has to choose one of them. */
  merge?: <Name extends keyof Parts & string>(
    part: Name,
    versions: MergeVersions<Parts[Name]>,
  ) => Merged<Parts[Name]> | undefined;
  /** Tells the versions of a part that was merged while the page is shown. Has to show the value before it returns, so that no key gets lost. */
  onMerged?: <Name extends keyof Parts & string>(part: Name, versions: MergeVersions<Parts[Name]>) => void;
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
 * Saves what is typed part by part (a title, a language's text, a setting), one request at a time, and keeps it on the
 * device until the server has it. Invariants: what was typed is on the server or on the device, unless the server has
 * refused it for good; requests never overlap; a change that somebody else has made is never overwritten without asking.
 */
export class Autosaver<Parts extends object> {
  #options: AutosaverOptions<Parts>;
  #version: number;
  /**
   * The server's values, as last read or saved. Without the parts that an earlier visit left unsaved, if the version
   * has changed since.
   */
  #known: Partial<Parts>;
  #parts: Partial<Parts>;
  #status: SaveStatus;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The end of the request queue; see `runExclusive`. */
  #queue: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #savedAt: number | undefined;
  /** The errors of parts whose value the server rejected. Such a part is not sent again until it changes. */
  #refused: Partial<Record<keyof Parts, ApiError>> = {};
  #sent: SentValues<Parts> = {};
  #creation: Creation<Parts> | undefined;
  /** The others' values of parts in which a question is open. */
  #asking: Partial<Parts> = {};
  #isLeft = false;
  /** What this instance last wrote to the device, as JSON. Different content there is from a later visit. */
  #written = '';
  #stopRetrying: () => void = () => undefined;

  constructor(options: AutosaverOptions<Parts>) {
    this.#options = options;
    const stored = options.localDraft.read();
    this.#version = stored?.version ?? options.version;
    this.#parts = stored?.parts ?? {};
    this.#known = {
      ...(this.#version === options.version ? options.known : without(options.known, ...this.#names())),
      ...stored?.base,
    };
    this.#sent = stored?.sent ?? {};
    this.#creation = stored?.creation;
    this.#written = JSON.stringify(stored ?? {});
    if (stored?.base) this.acceptVersion(options.version, options.known);
    this.#status = this.#rest();
    if (stored) this.#schedule();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  getStatus = (): SaveStatus => this.#status;

  /** The values that are not saved yet, including those that an earlier visit left on the device. */
  get unsaved(): Readonly<Partial<Parts>> {
    return this.#parts;
  }

  /** The server's values, as last read or saved; of a part that is being merged what the next merge is based on. */
  get known(): Readonly<Partial<Parts>> {
    return this.#known;
  }

  /** The server's version that the next save is based on. */
  get version(): number {
    return this.#version;
  }

  /** When something was saved last here, in milliseconds since 1970. */
  get savedAt(): number | undefined {
    return this.#savedAt;
  }

  /** The errors of rejected parts, to be shown at their fields; also of those that were dropped. */
  get refused(): Readonly<Partial<Record<keyof Parts, ApiError>>> {
    return this.#refused;
  }

  /** The versions of a part in which a question is open; undefined if none is. */
  asking<Name extends keyof Parts & string>(part: Name): MergeVersions<Parts[Name]> | undefined {
    const theirs = this.#asking[part];
    return theirs === undefined ? undefined : this.#versionsOf(part, theirs);
  }

  /** Replaces what is called, because a component's callbacks change from render to render. */
  set callbacks(
    callbacks: Partial<Pick<AutosaverOptions<Parts>, 'send' | 'create' | 'onFixed' | 'onMerged'>>,
  ) {
    this.#options = { ...this.#options, ...callbacks };
  }

  /** Takes a typed value: stores it on the device and schedules its save. */
  change<Name extends keyof Parts>(part: Name, value: Parts[Name]): void {
    this.#parts = { ...this.#parts, [part]: value };
    this.#refused = without(this.#refused, part);
    this.#store();
    if (this.#status.is === 'conflict' || this.#status.is === 'signedOut') return;
    this.#stopRetrying();
    if (this.#status.is !== 'saving') this.#show({ is: 'waiting' });
    this.#schedule();
  }

  /** Saves everything now. Resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#stopRetrying();
    if (this.#options.isManual) this.#refused = {};
    do if (!(await this.#run())) return false;
    while (!this.#options.isManual && this.#sendable().length > 0);
    return this.#names().length === 0;
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
    this.#isLeft = true;
    if (this.#status.is !== 'signedOut' && !this.#options.isManual) await this.flush();
    clearTimeout(this.#timer);
    this.#stopRetrying();
  }

  /** The page is shown (again): undoes `leave`. */
  enter(): void {
    this.#isLeft = false;
  }

  /**
   * The page has read a version: later saves are based on it, unless somebody else has changed a part that has unsaved
   * changes here and cannot be merged (then the next save fails with a conflict). Returns the parts that others have changed and that have
   * no unsaved changes, so that the page shows the new values.
   */
  acceptVersion(version: number, theirs: Parts): (keyof Parts & string)[] {
    if (version < this.#version) return []; // Outdated: read before our own last save.
    const conflicting = this.#mergeAll(theirs);
    const untouched = (Object.keys(theirs) as (keyof Parts & string)[]).filter(
      (name) => !(name in this.#parts),
    );
    const changed = version === this.#version ? [] : untouched.filter((name) => !this.#isKnown(name, theirs));
    this.#known = { ...this.#known, ...without(theirs, ...conflicting, ...Object.keys(this.#asking)) };
    if (conflicting.length === 0 && version !== this.#version) {
      this.#version = version;
      if (this.#names().length > 0) this.#store();
    }
    return changed;
  }

  /**
   * After a conflict: bases the unsaved parts on the server's version and sends them. If one of them was changed on
   * both sides, returns its name instead: the user chooses first (`keepMine` or `discard`). From the second conflict in
   * a row on it pauses before sending, because somebody else may be saving other parts all the time.
   */
  rebase(version: number, theirs: Parts): (keyof Parts & string) | undefined {
    const [part] = this.#mergeAll(theirs);
    if (part !== undefined) return part;
    this.#version = version;
    this.#known = { ...theirs, ...pick(this.#known, Object.keys(this.#asking)) };
    this.#store();
    this.#stopRetrying();
    this.#show(this.#rest());
    if (this.#sendable().length === 0) return undefined;
    this.#failures += 1;
    if (this.#failures === 1) void this.flush();
    else this.#stopRetrying = retryLater(this.#failures - 1, () => void this.flush()).cancel;
    return undefined;
  }

  /** The user keeps their own version of a part: it may overwrite the other one. */
  keepMine(part: keyof Parts & string, theirs: Parts): void {
    this.#known = { ...this.#known, [part]: theirs[part] };
    this.#asking = without(this.#asking, part);
  }

  /**
   * The user has chosen in a place that both had changed. `base`: what the next merge of the part is based on. When no
   * other question is open the part is sent.
   */
  answer<Name extends keyof Parts & string>(part: Name, base: Parts[Name], isAsking: boolean): void {
    this.#known = { ...this.#known, [part]: base };
    if (!isAsking) this.#asking = without(this.#asking, part);
    this.#store();
    if (isAsking || this.#status.is === 'conflict' || this.#status.is === 'signedOut') return;
    this.#show(this.#rest());
    void this.flush();
  }

  /** Discards the unsaved value of a part; of all parts if none is named. */
  discard(part?: keyof Parts): void {
    this.#parts = part === undefined ? {} : without(this.#parts, part);
    this.#refused = part === undefined ? {} : without(this.#refused, part);
    this.#asking = part === undefined ? {} : without(this.#asking, part);
    this.#store();
    if (this.#status.is === 'waiting' || this.#status.is === 'failed') this.#show(this.#rest());
  }

  /** The names of the unsaved parts, in the order in which they are sent. */
  #names() {
    return (Object.keys(this.#options.known) as (keyof Parts & string)[]).filter(
      (name) => name in this.#parts,
    );
  }

  #sendable() {
    return this.#names().filter((name) => !this.#refused[name] && !(name in this.#asking));
  }

  /** The status while nothing is being sent. */
  #rest(): SaveStatus {
    if (this.#names().length === 0) return { is: 'saved', at: this.#savedAt };
    return this.#sendable().length === 0 && Object.keys(this.#asking).length > 0
      ? { is: 'asking' }
      : { is: 'waiting' };
  }

  #versionsOf<Name extends keyof Parts & string>(
    name: Name,
    theirs: Parts[Name],
  ): MergeVersions<Parts[Name]> | undefined {
    const [base, mine] = [this.#known[name], this.#parts[name]];
    return base === undefined || mine === undefined
      ? undefined
      : { base, mine, theirs, sent: this.#sent[name] ?? [] };
  }

  /** Merges the parts that both have changed. Returns those that cannot be merged. */
  #mergeAll(theirs: Parts): (keyof Parts & string)[] {
    return this.#conflicting(theirs).filter((name) => {
      const asked = this.#asking[name];
      if (asked !== undefined && this.#options.isSame(asked, theirs[name])) return false;
      const versions = this.#versionsOf(name, theirs[name]);
      const merged = versions && this.#options.merge?.(name, versions);
      if (!merged) return true;
      this.#parts = { ...this.#parts, [name]: merged.value };
      this.#known = { ...this.#known, [name]: merged.base };
      this.#sent = without(this.#sent, name);
      this.#asking = merged.isAsking
        ? { ...this.#asking, [name]: theirs[name] }
        : without(this.#asking, name);
      this.#store();
      this.#options.onMerged?.(name, versions);
      return false;
    });
  }

  /** Parts that were changed both here and by somebody else, to different values. */
  #conflicting(theirs: Parts) {
    return this.#names().filter(
      (name) =>
        !this.#options.isSame(this.#parts[name] as Parts[typeof name], theirs[name]) &&
        !this.#isKnown(name, theirs),
    );
  }

  #isKnown(name: keyof Parts & string, theirs: Parts): boolean {
    const values = [...(name in this.#known ? [this.#known[name]] : []), ...(this.#sent[name] ?? [])];
    return values.some((value) => this.#options.isSame(value as Parts[typeof name], theirs[name]));
  }

  #store(): void {
    const { localDraft } = this.#options;
    if (this.#isLeft && JSON.stringify(localDraft.read() ?? {}) !== this.#written) return;
    const names = this.#names();
    const versions = this.#options.merge && {
      base: pick(this.#known, names),
      sent: pick(this.#sent, names),
    };
    const unsaved =
      names.length > 0 || this.#creation
        ? {
            version: this.#version,
            parts: this.#parts,
            ...versions,
            ...(this.#creation && { creation: this.#creation }),
          }
        : undefined;
    localDraft.write(unsaved);
    this.#written = JSON.stringify(unsaved ?? {});
  }

  /** What is refused for good is kept nowhere: sent again with every later save it would never be taken. */
  #drop(name: keyof Parts & string): void {
    this.#parts = without(this.#parts, name);
    this.#store();
    this.#options.onFixed?.(name);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#options.isManual || this.#version === notCreated) return;
    this.#timer = setTimeout(() => void this.#run(), this.#options.delay ?? usualDelay);
  }

  /** Queues a save of what is unsaved. What is typed while it runs has its own timer. */
  #run(): Promise<boolean> {
    return this.runExclusive(() => this.#sendAll());
  }

  async #sendAll(): Promise<boolean> {
    if (this.#status.is === 'conflict') return false;
    if (this.#sendable().length === 0) {
      if (Object.keys(this.#asking).length > 0) this.#show(this.#rest());
      return this.#names().length === 0;
    }
    if (!this.#isSignedIn()) return false;
    this.#show({ is: 'saving' });
    if (this.#version === notCreated && !(await this.#create())) return false;
    for (const name of this.#sendable()) {
      if (!this.#isSignedIn()) return false;
      const value = this.#parts[name] as Parts[typeof name];
      const earlier = (this.#sent[name] ?? []).filter((one) => !this.#options.isSame(one, value));
      this.#sent = { ...this.#sent, [name]: [...earlier, value].slice(-rememberedSent) };
      this.#store();
      const sent = await this.#options.send(name, value, this.#version);
      if ('error' in sent) {
        if (sent.saved) {
          this.#version = sent.saved.version;
          this.#known = { ...this.#known, [name]: sent.saved.value };
          this.#store();
        }
        // The server has not taken this one; what it may have of earlier ones stays remembered.
        if (!isTransient(sent.error)) this.#sent = { ...this.#sent, [name]: earlier };
        if (isAboutOnePart(sent.error)) {
          const isStill = Object.is(this.#parts[name], value);
          if (isFixed(sent.error)) this.#drop(name);
          if (isStill || isFixed(sent.error)) this.#refused = { ...this.#refused, [name]: sent.error };
          continue;
        }
        this.#fail(sent.error);
        return false;
      }
      this.#savedAt = this.#options.now();
      // Unless a newer version was read before this answer came.
      if (sent.version >= this.#version) {
        this.#version = sent.version;
        this.#known = { ...this.#known, [name]: value };
      }
      this.#sent = without(this.#sent, name);
      if (Object.is(this.#parts[name], value)) {
        this.#parts = without(this.#parts, name);
      }
      this.#store();
    }
    this.#failures = 0;
    const [refusal] = this.#names().flatMap((name) => this.#refused[name] ?? []);
    if (refusal && this.#sendable().length === 0) {
      this.#show({ is: 'failed', error: refusal, isRetried: false });
      return false;
    }
    this.#show(this.#rest());
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
    this.#creation ??= { key: crypto.randomUUID(), parts: this.#parts };
    this.#store();
    const { parts } = this.#creation;
    const created = await create(this.#creation);
    if ('error' in created) {
      // Refused: nothing was created, so the next attempt has another key, and may have other values.
      if (isRefusal(created.error)) {
        this.#creation = undefined;
        const same = this.#names().filter((name) => Object.is(this.#parts[name], parts[name]));
        this.#refused = Object.fromEntries(same.map((name) => [name, created.error])) as Record<
          keyof Parts,
          ApiError
        >;
        this.#store();
      }
      this.#fail(created.error);
      return false;
    }
    this.#creation = undefined;
    this.#refused = {};
    this.#version = created.version;
    this.#known = { ...this.#known, ...created.parts };
    const taken = this.#names().filter((name) => this.#isKnown(name, this.#parts as Parts));
    this.#parts = without(this.#parts, ...taken);
    this.#savedAt = this.#options.now();
    this.#store();
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
    if (!isRetried || this.#isLeft) return;
    this.#failures += 1;
    this.#stopRetrying(); // Two queued saves can fail one after the other.
    this.#stopRetrying = retryLater(this.#failures, () => void this.flush()).cancel;
  }

  #show(status: SaveStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the server rejected the value itself: no problem of the connection, the session or the version. */
const isAboutOnePart = (error: ApiError) => !isTransient(error) && error.http !== 401 && error.http !== 412;

const pick = <Map extends object>(map: Map, names: readonly PropertyKey[]): Map =>
  Object.fromEntries(Object.entries(map).filter(([name]) => names.includes(name))) as Map;

function without<Map extends object>(map: Map, ...names: PropertyKey[]): Map {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name))) as Map;
}
