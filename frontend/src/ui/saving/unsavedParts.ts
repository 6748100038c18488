import type { ApiError } from '../../api/apiError';
import type { LocalDraft } from './localDraft';
import { PageDraft } from './pageDraft';
import type { Creation, Merged, MergeVersions, SentValues, Unsaved } from './unsaved';

export interface UnsavedPartsOptions<Parts> {
  /** The server's version that the page has loaded; `notCreated` if there is none yet. */
  version: number;
  /** The values of that version. Parts are sent in its order. */
  known: Parts;
  /** Whether two values of a part have the same content. */
  isSame: <Name extends keyof Parts & string>(one: Parts[Name], other: Parts[Name]) => boolean;
  localDraft: LocalDraft<Unsaved<Parts>>;
  /** Merges two people's versions of a part; undefined if the user has to choose one of them. */
  merge?: <Name extends keyof Parts & string>(
    part: Name,
    versions: MergeVersions<Parts[Name]>,
  ) => Merged<Parts[Name]> | undefined;
  /** Tells the versions of a part that was merged while the page is shown. Has to show the value before it returns, so that no key gets lost. */
  onMerged?: <Name extends keyof Parts & string>(part: Name, versions: MergeVersions<Parts[Name]>) => void;
}

/** How many unanswered values of a part are remembered. */
const rememberedSent = 5;

/**
 * What was typed and is not saved, what the server has, and what follows when somebody else has changed the same.
 * It keeps itself on the device, and sends nothing.
 */
export class UnsavedParts<Parts extends object> {
  readonly draft: PageDraft<Unsaved<Parts>>;
  /** Whether an earlier visit had left something on the device. */
  readonly isRestored: boolean;
  #options: UnsavedPartsOptions<Parts>;
  #version: number;
  /**
   * The server's values, as last read or saved. Without the parts that an earlier visit left unsaved, if the version
   * has changed since.
   */
  #known: Partial<Parts>;
  #parts: Partial<Parts>;
  /** The errors of parts whose value the server rejected. Such a part is not sent again until it changes. */
  #refused: Partial<Record<keyof Parts, ApiError>> = {};
  #sent: SentValues<Parts> = {};
  #creation: Creation<Parts> | undefined;
  /** The others' values of parts in which a question is open. */
  #asking: Partial<Parts> = {};

  constructor(options: UnsavedPartsOptions<Parts>) {
    this.#options = options;
    this.draft = new PageDraft(options.localDraft);
    const stored = this.draft.read();
    this.isRestored = stored !== undefined;
    this.#version = stored?.version ?? options.version;
    this.#parts = stored?.parts ?? {};
    this.#known = {
      ...(this.#version === options.version ? options.known : without(options.known, ...this.names())),
      ...stored?.base,
    };
    this.#sent = stored?.sent ?? {};
    this.#creation = stored?.creation;
    if (stored?.base) this.acceptVersion(options.version, options.known);
  }

  get parts(): Readonly<Partial<Parts>> {
    return this.#parts;
  }
  get known(): Readonly<Partial<Parts>> {
    return this.#known;
  }
  get version(): number {
    return this.#version;
  }
  get refused(): Readonly<Partial<Record<keyof Parts, ApiError>>> {
    return this.#refused;
  }

  /** The names of the unsaved parts, in the order in which they are sent. */
  names() {
    return (Object.keys(this.#options.known) as (keyof Parts & string)[]).filter(
      (name) => name in this.#parts,
    );
  }

  sendable() {
    return this.names().filter((name) => !this.#refused[name] && !(name in this.#asking));
  }

  /** Whether a question is open in some part. */
  hasQuestion(): boolean {
    return Object.keys(this.#asking).length > 0;
  }

  /** The versions of a part in which a question is open; undefined if none is. */
  asking<Name extends keyof Parts & string>(name: Name): MergeVersions<Parts[Name]> | undefined {
    const theirs = this.#asking[name];
    return theirs === undefined ? undefined : this.#versionsOf(name, theirs);
  }

  change<Name extends keyof Parts>(name: Name, value: Parts[Name]): void {
    this.#parts = { ...this.#parts, [name]: value };
    this.#refused = without(this.#refused, name);
    this.#store();
  }

  /** Discards the value of a part; of all parts if none is named. */
  discard(name?: keyof Parts): void {
    this.#parts = name === undefined ? {} : without(this.#parts, name);
    this.#refused = name === undefined ? {} : without(this.#refused, name);
    this.#asking = name === undefined ? {} : without(this.#asking, name);
    this.#store();
  }

  // What comes of sending a part.

  /** Notes that a part is being sent: until there is an answer the server may have its value, or one of `earlier`. */
  begin<Name extends keyof Parts & string>(name: Name) {
    const value = this.#parts[name] as Parts[Name];
    const earlier = (this.#sent[name] ?? []).filter((one) => !this.#options.isSame(one, value));
    this.#sent = { ...this.#sent, [name]: [...earlier, value].slice(-rememberedSent) };
    this.#store();
    return { value, earlier };
  }

  taken<Name extends keyof Parts & string>(name: Name, value: Parts[Name], version: number): void {
    // Unless a newer version was read before this answer came.
    if (version >= this.#version) {
      this.#version = version;
      this.#known = { ...this.#known, [name]: value };
    }
    this.#sent = without(this.#sent, name);
    if (this.isStill(name, value)) this.#parts = without(this.#parts, name);
    this.#store();
  }

  /** The server has taken something of a part before it failed. */
  takenInPart<Name extends keyof Parts & string>(name: Name, value: Parts[Name], version: number): void {
    this.#version = version;
    this.#known = { ...this.#known, [name]: value };
    this.#store();
  }

  /** The server has not taken the value that was sent; what it may have of earlier ones stays remembered. */
  notTaken<Name extends keyof Parts & string>(name: Name, earlier: readonly Parts[Name][]): void {
    this.#sent = { ...this.#sent, [name]: earlier };
  }

  /** Whether nothing else was typed since. */
  isStill<Name extends keyof Parts & string>(name: Name, value: Parts[Name]): boolean {
    return Object.is(this.#parts[name], value);
  }

  refuse(name: keyof Parts & string, error: ApiError): void {
    this.#refused = { ...this.#refused, [name]: error };
  }

  forgetRefusals(): void {
    this.#refused = {};
  }

  /** What is refused for good is kept nowhere: sent again with every later save it would never be taken. */
  drop(name: keyof Parts & string): void {
    this.#parts = without(this.#parts, name);
    this.#store();
  }

  // What comes of creating what is not on the server yet.

  /** The request that creates it: the one without an answer, or a new one of all that is typed. */
  beginCreation(): Creation<Parts> {
    this.#creation ??= { key: crypto.randomUUID(), parts: this.#parts };
    this.#store();
    return this.#creation;
  }

  /** Nothing was created, so the next attempt has another key, and may have other values. */
  creationRefused({ parts }: Creation<Parts>, error: ApiError): void {
    this.#creation = undefined;
    const same = this.names().filter((name) => Object.is(this.#parts[name], parts[name]));
    this.#refused = Object.fromEntries(same.map((name) => [name, error])) as Record<keyof Parts, ApiError>;
    this.#store();
  }

  /** `parts`: what it was created with, as the server has it. */
  created(version: number, parts: Partial<Parts> | undefined): void {
    this.#creation = undefined;
    this.#refused = {};
    this.#version = version;
    this.#known = { ...this.#known, ...parts };
    const taken = this.names().filter((name) => this.#isKnown(name, this.#parts as Parts));
    this.#parts = without(this.#parts, ...taken);
    this.#store();
  }

  // What others have changed.

  /** See `Autosaver.acceptVersion`. */
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
      if (this.names().length > 0) this.#store();
    }
    return changed;
  }

  /** Bases the parts on the server's version; returns one that both have changed and that cannot be merged instead. */
  rebase(version: number, theirs: Parts): (keyof Parts & string) | undefined {
    const [part] = this.#mergeAll(theirs);
    if (part !== undefined) return part;
    this.#version = version;
    this.#known = { ...theirs, ...pick(this.#known, Object.keys(this.#asking)) };
    this.#store();
    return undefined;
  }

  /** The user keeps their own version of a part: it may overwrite the other one. */
  keepMine(name: keyof Parts & string, theirs: Parts): void {
    this.#known = { ...this.#known, [name]: theirs[name] };
    this.#asking = without(this.#asking, name);
  }

  /** The user has chosen in a place that both had changed. `base`: what the next merge of the part is based on. */
  answer<Name extends keyof Parts & string>(name: Name, base: Parts[Name], isAsking: boolean): void {
    this.#known = { ...this.#known, [name]: base };
    if (!isAsking) this.#asking = without(this.#asking, name);
    this.#store();
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
    return this.names().filter(
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
    const names = this.names();
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
    this.draft.write(unsaved);
  }
}

const pick = <Map extends object>(map: Map, names: readonly PropertyKey[]): Map =>
  Object.fromEntries(Object.entries(map).filter(([name]) => names.includes(name))) as Map;

function without<Map extends object>(map: Map, ...names: PropertyKey[]): Map {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name))) as Map;
}
