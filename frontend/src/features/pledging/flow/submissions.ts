import { isObject, type DeviceStorage } from '../../../api/deviceStorage';
import { personalKeyPrefix } from '../../../api/session';
import type { UnderWay } from '../../../api/underWay';
import type { BrowserMemory } from './browserMemory';
import { choiceOf } from './order';

/** A pledge request that was sent and is not yet paid. */
export interface Submission {
  /** The idempotency key of the request. */
  key: string;
  /** From contentOf. */
  content: string;
  /** What it costs and gets, and whose it is (choiceOf), also after a correction. */
  choice?: string;
  /** Known once the server has responded. */
  pledgeId?: string;
}

/** The current submission of one campaign in this tab, and the pledges of earlier ones. */
export interface Submissions {
  current: () => Submission | undefined;
  /** Replaces the current submission (see `forget`) by a new one with a new key. */
  begin: (content: string) => Submission;
  /** Stores the pledge that the current submission has created. */
  made: (pledgeId: string) => void;
  /** The current submission's pledge has been corrected: its request must not be repeated, whatever is typed. */
  corrected: () => void;
  /** Ends the current submission. Its pledge, if any, is added to `abandoned`. */
  forget: () => void;
  /** Abandoned unpaid pledges whose payments may still be open. */
  abandoned: () => readonly string[];
  /** Removes a pledge from `abandoned`, because it can no longer be paid. */
  closed: (pledgeId: string) => void;
  /** A provider was asked for a payment: until `settled` it may have been made, whatever becomes of this page. */
  underWay: (payment: UnderWay) => void;
  /** It is known what came of a payment. */
  settled: (pledgeId: string) => void;
  /** The payment that was left under way, from this tab or another. `pledgeId`: of that pledge alone. */
  leftUnderWay: (pledgeId?: string) => UnderWay | undefined;
  /** When this browser paid for the same choice, in milliseconds since 1970; undefined if it never did. */
  paidAt: (content: string) => number | undefined;
  /** Everything ends, because the pledge is paid; `at` in milliseconds since 1970. */
  paid: (pledgeId: string, at: number) => void;
}

// They are somebody's: whoever uses the tab after them can neither pay nor release what they have begun.
const nameOf = (campaignId: number) => `${personalKeyPrefix}-submission-${campaignId}`;
const abandonedNameOf = (campaignId: number) => `${personalKeyPrefix}-given-up-${campaignId}`;

/** Stores the submission in the tab: it survives a reload and a visit to the payment page, but not the tab. */
export function keptSubmissions(tab: DeviceStorage, campaignId: number, memory: BrowserMemory): Submissions {
  const name = nameOf(campaignId);
  const abandonedName = abandonedNameOf(campaignId);
  const save = (submission: Submission) => {
    tab.setJson(name, submission);
    return submission;
  };
  const current = () => tab.json(name, isSubmission);
  const abandoned = () => tab.json(abandonedName, isIds) ?? [];
  const forget = () => {
    const before = current();
    if (before) memory.renewKeys();
    const pledgeId = before?.pledgeId;
    // Written before the submission is removed: if the tab is closed in between, the pledge is not lost.
    if (pledgeId) tab.setJson(abandonedName, [...new Set([...abandoned(), pledgeId])]);
    tab.remove(name);
  };
  return {
    current,
    begin: (content) => {
      forget();
      return save({ key: memory.keyOf(content), content, choice: choiceOf(content) });
    },
    made: (pledgeId) => {
      const submission = current();
      if (submission) save({ ...submission, pledgeId });
    },
    corrected: () => {
      const submission = current();
      if (submission) save({ ...submission, content: '' });
    },
    forget,
    abandoned,
    closed: (pledgeId) =>
      void tab.setJson(
        abandonedName,
        abandoned().filter((one) => one !== pledgeId),
      ),
    underWay: memory.setUnderWay,
    settled: memory.settled,
    leftUnderWay: memory.underWay,
    paidAt: (content) => memory.paidAt(choiceOf(content)),
    paid: (pledgeId, at) => {
      const choice = current()?.choice;
      if (choice !== undefined) memory.setPaid(choice, at);
      memory.renewKeys();
      memory.settled(pledgeId);
      tab.remove(name);
      tab.remove(abandonedName);
    },
  };
}

const isSubmission = (value: unknown): value is Submission =>
  isObject(value) && typeof value.key === 'string' && typeof value.content === 'string';
const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A random key of 32 hexadecimal digits. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
