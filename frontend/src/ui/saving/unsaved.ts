/** Unsaved values by part, and the server's version that they are based on; the device keeps them. */
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
export type SentValues<Parts> = { [Name in keyof Parts]?: readonly Parts[Name][] };

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
