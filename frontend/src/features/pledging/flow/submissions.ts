/** What was sent for a campaign and not yet paid, so that sending the same again is the same pledge. */
export interface Submission {
  /** The idempotency key. */
  key: string;
  content: string;
  /** Known once the server has answered. */
  pledgeId?: string;
}

/** The submission of one campaign in this tab. */
export interface Submissions {
  current: () => Submission | undefined;
  /** A new key for this content; the submission before it is forgotten as `forget` does it. */
  begin: (content: string) => Submission;
  /** The pledge that came of the current one. */
  made: (pledgeId: string) => void;
  /** The current one is no more. What came of it is given up, unpaid. */
  forget: () => void;
  /** Pledges that were given up and whose payments are not known to be closed. */
  givenUp: () => readonly string[];
  /** Nobody can pay this one any more. */
  closed: (pledgeId: string) => void;
}

const nameOf = (campaignId: number) => `tk-submission-${campaignId}`;
const givenUpNameOf = (campaignId: number) => `tk-given-up-${campaignId}`;

/** Paid: nothing is sent again and nothing has to be closed. */
export function forgetSubmissions(storage: Storage, campaignId: number): void {
  storage.removeItem(nameOf(campaignId));
  storage.removeItem(givenUpNameOf(campaignId));
}

/** Keeps it in the tab's own storage: it survives a reload and a visit to the payment page, not the tab. */
export function keptSubmissions(storage: Storage, campaignId: number, newKey: () => string): Submissions {
  const name = nameOf(campaignId);
  const givenUpName = givenUpNameOf(campaignId);
  const save = (submission: Submission) => {
    storage.setItem(name, JSON.stringify(submission));
    return submission;
  };
  const current = () => parse(storage.getItem(name));
  const givenUp = () => parseIds(storage.getItem(givenUpName));
  const forget = () => {
    const pledgeId = current()?.pledgeId;
    // First what has to be closed: the tab may go at any moment.
    if (pledgeId) storage.setItem(givenUpName, JSON.stringify([...new Set([...givenUp(), pledgeId])]));
    storage.removeItem(name);
  };
  return {
    current,
    begin: (content) => {
      forget();
      return save({ key: newKey(), content });
    },
    made: (pledgeId) => {
      const submission = current();
      if (submission) save({ ...submission, pledgeId });
    },
    forget,
    givenUp,
    closed: (pledgeId) =>
      storage.setItem(givenUpName, JSON.stringify(givenUp().filter((one) => one !== pledgeId))),
  };
}

function parse(text: string | null): Submission | undefined {
  const value = parseJson(text) as Partial<Submission> | null | undefined;
  return typeof value?.key === 'string' && typeof value.content === 'string'
    ? (value as Submission)
    : undefined;
}

function parseIds(text: string | null): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function parseJson(text: string | null): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut short or not ours: the same as none.
    return undefined;
  }
}

/** A key that nobody else has. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
