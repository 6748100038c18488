import type { ApiError } from '../../api/apiError';
import { retryLater } from '../../ui/loadWithRetry';
import { isFixed } from './isRefusal';
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
  | { is: 'conflict' };

/** Unsaved values by part, and the server's version that they are based on. */
export interface Unsaved<Parts> {
  version: number;
  parts: Partial<Parts>;
}

/** The result of saving a part: the new version, or the error. */
export type Sent = { version: number } | { error: ApiError };

export interface AutosaverOptions<Parts> {
  /** The server's version that the page has loaded. */
  version: number;
  /** The values of that version. */
  known: Parts;
  /** Whether two values of a part have the same content. */
  isSame: <Name extends keyof Parts & string>(one: Parts[Name], other: Parts[Name]) => boolean;
  /** Saves one part; `version` is for If-Match. */
  send: <Name extends keyof Parts & string>(part: Name, value: Parts[Name], version: number) => Promise<Sent>;
  /** Whether the writer is signed in: nothing is sent after they have signed out, or under another person's name. */
  isSignedIn: () => boolean;
  localDraft: LocalDraft<Unsaved<Parts>>;
  /** In milliseconds since 1970. */
  now: () => number;
  /** A part that can never change again is dropped here; the page shows the server's value. */
  onFixed?: (part: keyof Parts & string) => void;
  /** The pause in typing after which changes are sent, in milliseconds. */
  delay?: number;
}

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
  #isLeft = false;
  /** What this instance last wrote to the device, as JSON. Different content there is from a later visit. */
  #written = '';
  #stopRetrying: () => void = () => undefined;

  constructor(options: AutosaverOptions<Parts>) {
    this.#options = options;
    const stored = options.localDraft.read();
    this.#version = stored?.version ?? options.version;
    this.#parts = stored?.parts ?? {};
    this.#known =
      this.#version === options.version ? options.known : without(options.known, ...this.#names());
    this.#written = JSON.stringify(stored ?? {});
    this.#status = { is: stored ? 'waiting' : 'saved' };
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

  /** The server's version that the next save is based on. */
  get version(): number {
    return this.#version;
  }

  /** The errors of rejected parts, to be shown at their fields; also of those that were dropped. */
  get refused(): Readonly<Partial<Record<keyof Parts, ApiError>>> {
    return this.#refused;
  }

  /** Replaces the save function, because a component's callbacks change from render to render. */
  set send(send: AutosaverOptions<Parts>['send']) {
    this.#options.send = send;
  }
  /** The same of what is told about parts that can never change again. */
  set onFixed(onFixed: AutosaverOptions<Parts>['onFixed']) {
    this.#options.onFixed = onFixed;
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
    do if (!(await this.#run())) return false;
    while (this.#sendable().length > 0);
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
    if (this.#status.is === 'signedOut' || this.#status.is === 'failed') void this.flush();
  };

  /**
   * The page is left: sends what is unsaved once, without retries. What fails stays on the device for the next visit.
   * If that has begun already and has stored values of its own there, they are not overwritten.
   */
  async leave(): Promise<void> {
    this.#isLeft = true;
    if (this.#status.is !== 'signedOut') await this.flush();
    clearTimeout(this.#timer);
    this.#stopRetrying();
  }

  /** The page is shown (again): undoes `leave`. */
  enter(): void {
    this.#isLeft = false;
  }

  /**
   * The page has read a version: later saves are based on it, unless somebody else has changed a part that has unsaved
   * changes here (then the next save fails with a conflict). Returns the parts that others have changed and that have
   * no unsaved changes, so that the page shows the new values.
   */
  acceptVersion(version: number, theirs: Parts): (keyof Parts & string)[] {
    if (version < this.#version) return []; // Outdated: read before our own last save.
    const conflicting = this.#conflicting(theirs);
    const untouched = (Object.keys(theirs) as (keyof Parts & string)[]).filter(
      (name) => !(name in this.#parts),
    );
    const changed = version === this.#version ? [] : untouched.filter((name) => !this.#isKnown(name, theirs));
    const known = without(theirs, ...conflicting);
    this.#known = { ...this.#known, ...known };
    if (conflicting.length === 0) this.#version = version;
    return changed;
  }

  /**
   * After a conflict: bases the unsaved parts on the server's version and sends them. If one of them was changed on
   * both sides, returns its name instead: the user chooses first (`keepMine` or `discard`). From the second conflict in
   * a row on it pauses before sending, because somebody else may be saving other parts all the time.
   */
  rebase(version: number, theirs: Parts): (keyof Parts & string) | undefined {
    const [part] = this.#conflicting(theirs);
    if (part !== undefined) return part;
    this.#version = version;
    this.#known = theirs;
    this.#store();
    this.#stopRetrying();
    this.#show({ is: this.#names().length > 0 ? 'waiting' : 'saved' });
    if (this.#names().length === 0) return undefined;
    this.#failures += 1;
    if (this.#failures === 1) void this.flush();
    else this.#stopRetrying = retryLater(this.#failures - 1, () => void this.flush()).cancel;
    return undefined;
  }

  /** The user keeps their own version of a part: it may overwrite the other one. */
  keepMine(part: keyof Parts & string, theirs: Parts): void {
    this.#known = { ...this.#known, [part]: theirs[part] };
  }

  /** Discards the unsaved value of a part; of all parts if none is named. */
  discard(part?: keyof Parts): void {
    this.#parts = part === undefined ? {} : without(this.#parts, part);
    this.#refused = part === undefined ? {} : without(this.#refused, part);
    this.#store();
  }

  #names() {
    return Object.keys(this.#parts) as (keyof Parts & string)[];
  }

  #sendable() {
    return this.#names().filter((name) => !this.#refused[name]);
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
    return name in this.#known && this.#options.isSame(this.#known[name] as Parts[typeof name], theirs[name]);
  }

  #store(): void {
    const { localDraft } = this.#options;
    if (this.#isLeft && JSON.stringify(localDraft.read() ?? {}) !== this.#written) return;
    const unsaved = this.#names().length > 0 ? { version: this.#version, parts: this.#parts } : undefined;
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
    this.#timer = setTimeout(() => void this.#run(), this.#options.delay ?? usualDelay);
  }

  /** Queues a save of what is unsaved. What is typed while it runs has its own timer. */
  #run(): Promise<boolean> {
    return this.runExclusive(() => this.#sendAll());
  }

  async #sendAll(): Promise<boolean> {
    if (this.#status.is === 'conflict') return false;
    if (this.#sendable().length === 0) return this.#names().length === 0;
    this.#show({ is: 'saving' });
    for (const name of this.#sendable()) {
      if (!this.#options.isSignedIn()) {
        this.#show({ is: 'signedOut' });
        return false;
      }
      const value = this.#parts[name] as Parts[typeof name];
      const sent = await this.#options.send(name, value, this.#version);
      if ('error' in sent) {
        if (isAboutOnePart(sent.error)) {
          const isStill = Object.is(this.#parts[name], value);
          if (isFixed(sent.error)) this.#drop(name);
          if (isStill || isFixed(sent.error)) this.#refused = { ...this.#refused, [name]: sent.error };
          continue;
        }
        this.#fail(sent.error);
        return false;
      }
      this.#version = sent.version;
      this.#savedAt = this.#options.now();
      this.#known = { ...this.#known, [name]: value };
      if (Object.is(this.#parts[name], value)) {
        this.#parts = without(this.#parts, name);
      }
      this.#store();
    }
    this.#failures = 0;
    const isAll = this.#names().length === 0;
    const [refusal] = this.#names().flatMap((name) => this.#refused[name] ?? []);
    if (refusal && this.#sendable().length === 0) {
      this.#show({ is: 'failed', error: refusal, isRetried: false });
      return false;
    }
    this.#show(isAll ? { is: 'saved', at: this.#savedAt } : { is: 'waiting' });
    return true;
  }

  #fail(error: ApiError): void {
    const isRetried = isTransient(error);
    this.#show(
      error.http === 401
        ? { is: 'signedOut' }
        : error.http === 412
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

/** Whether a retry may succeed. */
const isTransient = ({ http }: ApiError) => http === 0 || http >= 500 || http === 429;

/** Whether the server rejected the value itself: no problem of the connection, the session or the version. */
const isAboutOnePart = (error: ApiError) => !isTransient(error) && error.http !== 401 && error.http !== 412;

function without<Map extends object>(map: Map, ...names: PropertyKey[]): Map {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name))) as Map;
}
