import type {
  CampaignAdmin,
  Review,
  ReviewChangesAnswer,
  ReviewedPart,
  ReviewNote,
} from '../src/api/editing';
import { aCampaignAdmin } from './campaignAdmin';

/** A review that was asked for once and waits for staff. */
export function aReview(overrides: Partial<Review> = {}): Review {
  return {
    state: 'requested',
    round: 1,
    asked_at: '2026-11-19T14:40:00Z',
    answer_by: '2026-11-23',
    checklist: [{ key: 'title', done: true, needed: true }],
    notes: [],
    history: [{ at: '2026-11-19T14:40:00Z', by: 'Pekka Ruotsalainen', event: 'requested' }],
    ...overrides,
  };
}

/** A note on the cover that is not mended yet. */
export function aReviewNote(overrides: Partial<ReviewNote> = {}): ReviewNote {
  return {
    note_id: 4,
    part: 'cover',
    text: 'Kuka kuvassa on?',
    quote: '',
    mended: false,
    by: 'Joonas Ikäheimo',
    at: '2026-11-18T10:00:00Z',
    round: 1,
    ...overrides,
  };
}

/** A draft whose review was asked for, as its team and staff read it. */
export function aCampaignInReview(overrides: Partial<CampaignAdmin> = {}): CampaignAdmin {
  return aCampaignAdmin({ review: aReview(), ...overrides });
}

/** A part that is as staff read it. */
export function aReviewedPart(overrides: Partial<ReviewedPart> = {}): ReviewedPart {
  return { part: 'title', kind: 'free', digest: 'd1', changed: false, ...overrides };
}

/** A campaign that staff read, of which nothing has changed. */
export function someReviewChanges(overrides: Partial<ReviewChangesAnswer> = {}): ReviewChangesAnswer {
  return {
    state: 'requested',
    stage: 0,
    version: 3,
    read_version: 2,
    parts: [aReviewedPart()],
    names: {},
    ...overrides,
  };
}
