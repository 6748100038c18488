import { notCreated, type AutosaverOptions, type Autosaver } from '../../../ui/saving/autosaver';
import type { Unsaved } from '../../../ui/saving/unsaved';
import type { LocalDraft } from '../../../ui/saving/localDraft';
import type { DraftCalls } from './calls';
import { readRecord, storeRecord, type DraftRecord, type ServerDraft } from './record';
import type { RuleContext } from './rules';
import { createRequestOf, isSame, nothing, wireOf, type Wire } from './wire';

type Options = AutosaverOptions<Wire>;

/** What the form tells the saver, and the saver the server: what is sent follows from the whole form. */
export class NewCampaign {
  #record: DraftRecord;
  #calls: DraftCalls;
  #reader: () => number | undefined;
  /** Set as soon as it is made. */
  saver: Autosaver<Wire> | undefined;
  /** What comes after the page was left is stored unless the draft has been removed meanwhile; once it is over nothing is. */
  phase: 'shown' | 'left' | 'over' = 'shown';

  /** `reader`: who is signed in. */
  constructor(record: DraftRecord, calls: DraftCalls, reader: () => number | undefined) {
    this.#record = record;
    this.#calls = calls;
    this.#reader = reader;
  }

  get draft(): ServerDraft | undefined {
    return this.#record.draft;
  }

  /** When the server got something last, in milliseconds since 1970. */
  get savedAt(): number | undefined {
    return this.#record.saved?.at;
  }

  /** The record's part that the saver keeps. What the server has is kept with it. */
  localDraft: LocalDraft<Unsaved<Wire>> = {
    read: () => readRecord()?.unsaved,
    write: (unsaved) => {
      const { saver } = this;
      const at = saver?.savedAt ?? this.savedAt;
      this.#keep({
        unsaved,
        ...(saver &&
          saver.version !== notCreated && {
            saved: { version: saver.version, known: saver.known as Wire, at },
          }),
        ...(!this.draft && !unsaved?.creation && { creation: undefined }),
      });
    },
  };

  /** Whether a signed-in user may save: who began it, or anybody if nobody has. */
  isWriter = (userId: number): boolean => (this.#record.creation?.userId ?? userId) === userId;

  /** Records what was typed. */
  change(change: Partial<Pick<DraftRecord, 'values' | 'part' | 'done'>>, context: RuleContext): void {
    this.#keep(change);
    if (change.values) this.want(context);
  }

  /** Tells the saver what the server should have of what was typed. */
  want(context: RuleContext): void {
    const { saver } = this;
    if (!saver) return;
    const wanted = wireOf(this.#record.values, context);
    for (const name of Object.keys(nothing) as (keyof Wire)[]) this.#want(saver, name, wanted?.[name]);
  }

  #want<Name extends keyof Wire>(saver: Autosaver<Wire>, name: Name, wanted: Wire[Name] | undefined): void {
    const known = saver.known[name];
    // What is left out because it is not valid yet stays as the server has it.
    const isPartial = name === 'settings' || name === 'meta';
    const value = wanted && isPartial ? Object.assign({}, known, wanted) : wanted;
    if (value === undefined) {
      if (name in saver.unsaved) saver.discard(name);
    } else if (!isSame(value, saver.unsaved[name] ?? known ?? {})) saver.change(name, value);
  }

  create: NonNullable<Options['create']> = async ({ key, parts }) => {
    const { values, creation } = this.#record;
    const { variant, userId } = creation ?? { variant: values.variant, userId: this.#reader() ?? 0 };
    this.#keep({ creation: { variant, userId } });
    const { data, error } = await this.#calls.create(createRequestOf(variant, parts), key);
    if (error) return { error };
    const { campaign_id: campaignId, slug, version } = data.campaign;
    this.#keep({ draft: { campaignId, slug } });
    return { version, parts };
  };

  send: Options['send'] = async (name, value, version) => {
    const { draft, saver } = this;
    if (!draft || !saver) throw new Error('A new campaign is changed before there is one.');
    const { data, error } = await this.#calls.parts[name]({ ...draft, version }, value, saver.known as Wire);
    if (error) return { error };
    const { slug = draft.slug, rewardId = draft.rewardId } = data;
    this.#keep({ draft: { ...draft, slug, rewardId } });
    return { version: data.version };
  };

  #keep(change: Partial<DraftRecord>): void {
    this.#record = { ...this.#record, ...change };
    const isRemoved = this.phase === 'over' || (this.phase === 'left' && readRecord() === undefined);
    if (!isRemoved) storeRecord(this.#record);
  }
}
