import type { ApiError } from '../../api/apiError';
import { retryLater } from '../../ui/loadWithRetry';
import type { Kept } from './kept';

/** Where the saving of a text is. */
export type SaveStatus =
  /** The server has everything; `at` is when it got the last of it here, in milliseconds. */
  | { is: 'saved'; at?: number }
  /** Something was typed that leaves in a moment. */
  | { is: 'waiting' }
  | { is: 'saving' }
  /** It did not work. `isRetried`: it is tried again by itself; else the text has to change first. */
  | { is: 'failed'; error: ApiError; isRetried: boolean }
  /** The session has ended; saving goes on after signing in. */
  | { is: 'signedOut' }
  /** Somebody else has changed it meanwhile; nothing is sent until one of the two is chosen. */
  | { is: 'conflict' };

/** What has not reached the server, and the version that it was written upon. */
export interface Unsaved<Parts> {
  version: number;
  parts: Partial<Parts>;
}

/** What came of sending: the new version, or why not. */
export type Sent = { version: number } | { error: ApiError };

export interface AutosaverOptions<Parts> {
  /** The version that the page has read. */
  version: number;
  /** What that version says. */
  known: Parts;
  /** Whether two values of a part say the same. */
  isSame: <Name extends keyof Parts & string>(one: Parts[Name], other: Parts[Name]) => boolean;
  /** Sends one part, with the version for If-Match. */
  send: <Name extends keyof Parts & string>(part: Name, value: Parts[Name], version: number) => Promise<Sent>;
  kept: Kept<Unsaved<Parts>>;
  now: () => number;
  /** How long after the last key something is sent, in milliseconds. */
  delay?: number;
}

/** Pause after the last key, in milliseconds: long enough to type a word, short enough to trust. */
const usualDelay = 1_200;

/**
 * Sends what is typed part by part (a title, a language's text, a setting), one call after the other, and keeps it on the
 * device until then. Invariants: what was typed is either on the server or on the device; no part overtakes another; a
 * version that somebody else has made is never written over unasked.
 */
export class Autosaver<Parts extends object> {
  #options: AutosaverOptions<Parts>;
  #version: number;
  /** What the server is known to have. Of parts that were written before a reload that is not known. */
  #known: Partial<Parts>;
  #parts: Partial<Parts>;
  #status: SaveStatus;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last of the calls that follow each other, those of `alone` among them. */
  #last: Promise<unknown> = Promise.resolve();
  #failures = 0;
  /** Parts that the server has refused as they are, by name. They wait for their next change; the others go on. */
  #refused: Partial<Record<keyof Parts, ApiError>> = {};
  #isLeft = false;
  /** What it has put on the device last. */
  #written = '';
  #stopRetrying: () => void = () => undefined;

  constructor(options: AutosaverOptions<Parts>) {
    this.#options = options;
    const kept = options.kept.read();
    this.#version = kept?.version ?? options.version;
    this.#parts = kept?.parts ?? {};
    this.#known =
      this.#version === options.version ? options.known : without(options.known, ...this.#names());
    this.#written = JSON.stringify(kept ?? {});
    this.#status = { is: kept ? 'waiting' : 'saved' };
    if (kept) this.#schedule();
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  getStatus = (): SaveStatus => this.#status;

  /** What has not reached the server: also what an earlier visit left on the device. */
  get unsaved(): Readonly<Partial<Parts>> {
    return this.#parts;
  }

  /** The version on which the next change builds. */
  get version(): number {
    return this.#version;
  }

  /** Why the server has refused parts as they are, by name; for their fields. */
  get refused(): Readonly<Partial<Record<keyof Parts, ApiError>>> {
    return this.#refused;
  }

  /** A screen's newest way to send; the calls of a component change with it. */
  set send(send: AutosaverOptions<Parts>['send']) {
    this.#options.send = send;
  }

  change<Name extends keyof Parts>(part: Name, value: Parts[Name]): void {
    this.#parts = { ...this.#parts, [part]: value };
    this.#refused = without(this.#refused, part);
    this.#keep();
    if (this.#status.is === 'conflict' || this.#status.is === 'signedOut') return;
    this.#stopRetrying();
    if (this.#status.is !== 'saving') this.#show({ is: 'waiting' });
    this.#schedule();
  }

  /** Sends everything now. Whether the server has it all. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#stopRetrying();
    do if (!(await this.#run())) return false;
    while (this.#sendable().length > 0);
    return this.#names().length === 0;
  }

  /**
   * Runs another call that changes the same thing, together with reading the version that it has made: nothing is on its
   * way before, and nothing is sent until it has ended. It must not wait for `flush`, which would wait for it.
   */
  alone<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Goes on after signing in, or because somebody does not want to wait for the next try. */
  resume = (): void => {
    if (this.#status.is === 'signedOut' || this.#status.is === 'failed') void this.flush();
  };

  /**
   * The screen is left: what waits is sent once more. What does not arrive stays on the device for the next visit, which
   * may have begun already and written there itself: then nothing of it is touched.
   */
  async leave(): Promise<void> {
    this.#isLeft = true;
    if (this.#status.is !== 'signedOut') await this.flush();
    clearTimeout(this.#timer);
    this.#stopRetrying();
  }

  /** A screen has it, perhaps again. */
  enter(): void {
    this.#isLeft = false;
  }

  /**
   * The page has read a version: what it sends builds on that from now on, unless somebody else has changed a part that is
   * being written here. Returns the parts that others have changed and nobody writes here, for the page to show theirs.
   */
  take(version: number, theirs: Parts): (keyof Parts & string)[] {
    if (version < this.#version) return []; // Read before the last change that was sent from here.
    const contested = this.#contested(theirs);
    const untouched = (Object.keys(theirs) as (keyof Parts & string)[]).filter(
      (name) => !(name in this.#parts),
    );
    const changed = version === this.#version ? [] : untouched.filter((name) => !this.#isKnown(name, theirs));
    const known = without(theirs, ...contested);
    this.#known = { ...this.#known, ...known };
    if (contested.length === 0) this.#version = version;
    return changed;
  }

  /**
   * After a conflict: what is sent builds on theirs, unless somebody has to choose first; gives the part about which. What
   * is refused again and again, because others go on changing other parts, is sent after pauses.
   */
  settle(version: number, theirs: Parts): (keyof Parts & string) | undefined {
    const [part] = this.#contested(theirs);
    if (part !== undefined) return part;
    this.#version = version;
    this.#known = theirs;
    this.#keep();
    this.#stopRetrying();
    this.#show({ is: this.#names().length > 0 ? 'waiting' : 'saved' });
    if (this.#names().length === 0) return undefined;
    this.#failures += 1;
    if (this.#failures === 1) void this.flush();
    else this.#stopRetrying = retryLater(this.#failures - 1, () => void this.flush()).cancel;
    return undefined;
  }

  /** Of two versions of a part this one stays: it may go over theirs. */
  keep(part: keyof Parts & string, theirs: Parts): void {
    this.#known = { ...this.#known, [part]: theirs[part] };
  }

  /** What was typed is forgotten; of one part, when it is named. */
  drop(part?: keyof Parts): void {
    this.#parts = part === undefined ? {} : without(this.#parts, part);
    this.#refused = part === undefined ? {} : without(this.#refused, part);
    this.#keep();
  }

  #names() {
    return Object.keys(this.#parts) as (keyof Parts & string)[];
  }

  #sendable() {
    return this.#names().filter((name) => !this.#refused[name]);
  }

  /** Parts that are written here and that somebody else has changed into something else. */
  #contested(theirs: Parts) {
    return this.#names().filter(
      (name) =>
        !this.#options.isSame(this.#parts[name] as Parts[typeof name], theirs[name]) &&
        !this.#isKnown(name, theirs),
    );
  }

  #isKnown(name: keyof Parts & string, theirs: Parts): boolean {
    return name in this.#known && this.#options.isSame(this.#known[name] as Parts[typeof name], theirs[name]);
  }

  #keep(): void {
    const { kept } = this.#options;
    if (this.#isLeft && JSON.stringify(kept.read() ?? {}) !== this.#written) return;
    const unsaved = this.#names().length > 0 ? { version: this.#version, parts: this.#parts } : undefined;
    kept.write(unsaved);
    this.#written = JSON.stringify(unsaved ?? {});
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), this.#options.delay ?? usualDelay);
  }

  /** Sends what there is when its turn has come. What is typed meanwhile waits for its own timer. */
  #run(): Promise<boolean> {
    return this.alone(() => this.#sendAll());
  }

  async #sendAll(): Promise<boolean> {
    if (this.#status.is === 'conflict') return false;
    if (this.#sendable().length === 0) return this.#names().length === 0;
    this.#show({ is: 'saving' });
    for (const name of this.#sendable()) {
      const value = this.#parts[name] as Parts[typeof name];
      const sent = await this.#options.send(name, value, this.#version);
      if ('error' in sent) {
        if (isAboutOnePart(sent.error)) {
          if (Object.is(this.#parts[name], value)) this.#refused = { ...this.#refused, [name]: sent.error };
          continue;
        }
        this.#fail(sent.error);
        return false;
      }
      this.#version = sent.version;
      this.#known = { ...this.#known, [name]: value };
      if (Object.is(this.#parts[name], value)) {
        this.#parts = without(this.#parts, name);
      }
      this.#keep();
    }
    this.#failures = 0;
    const isAll = this.#names().length === 0;
    const [refusal] = Object.values<ApiError | undefined>(this.#refused);
    if (refusal && this.#sendable().length === 0) {
      this.#show({ is: 'failed', error: refusal, isRetried: false });
      return false;
    }
    this.#show(isAll ? { is: 'saved', at: this.#options.now() } : { is: 'waiting' });
    return true;
  }

  #fail(error: ApiError): void {
    const isRetried = isPassing(error);
    this.#show(
      error.http === 401
        ? { is: 'signedOut' }
        : error.http === 412
          ? { is: 'conflict' }
          : { is: 'failed', error, isRetried },
    );
    if (!isRetried || this.#isLeft) return;
    this.#failures += 1;
    this.#stopRetrying = retryLater(this.#failures, () => void this.flush()).cancel;
  }

  #show(status: SaveStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

/** It may work a moment later. */
const isPassing = ({ http }: ApiError) => http === 0 || http >= 500 || http === 429;

/** Neither the connection, the session nor the version: the server does not take this part as it is. */
const isAboutOnePart = (error: ApiError) => !isPassing(error) && error.http !== 401 && error.http !== 412;

function without<Map extends object>(map: Map, ...names: PropertyKey[]): Map {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name))) as Map;
}
