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
  /** A new key for this content; the one before is forgotten. */
  begin: (content: string) => Submission;
  /** The pledge that came of the current one. */
  made: (pledgeId: string) => void;
  forget: () => void;
}

const nameOf = (campaignId: number) => `tk-submission-${campaignId}`;

export function forgetSubmission(storage: Storage, campaignId: number): void {
  storage.removeItem(nameOf(campaignId));
}

/** Keeps it in the tab's own storage: it survives a reload and a visit to the payment page, not the tab. */
export function keptSubmissions(storage: Storage, campaignId: number, newKey: () => string): Submissions {
  const name = nameOf(campaignId);
  const save = (submission: Submission) => {
    storage.setItem(name, JSON.stringify(submission));
    return submission;
  };
  const current = () => parse(storage.getItem(name));
  return {
    current,
    begin: (content) => save({ key: newKey(), content }),
    made: (pledgeId) => {
      const submission = current();
      if (submission) save({ ...submission, pledgeId });
    },
    forget: () => forgetSubmission(storage, campaignId),
  };
}

function parse(text: string | null): Submission | undefined {
  if (!text) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Submission> | null;
    return typeof value?.key === 'string' && typeof value.content === 'string'
      ? (value as Submission)
      : undefined;
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
