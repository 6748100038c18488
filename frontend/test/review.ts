import type { CampaignAdmin, Review, ReviewNote } from '../src/api/editing';

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

/** The draft of campaign 3 as its team and staff read it, in Finnish only. */
export function aCampaignAdmin(overrides: Partial<CampaignAdmin> = {}): CampaignAdmin {
  return {
    campaign_id: 3,
    slug: 'hoyry',
    version: 1,
    stage: 0,
    opens_as: 'funding',
    language: 'fi',
    texts: {},
    custom_language: {},
    project_pic: 'hoyry.jpg',
    creator_pic: '',
    categories: [1],
    tags: [],
    place: 'Pielavesi',
    currency: 'EUR',
    min_goal: 0,
    target_goal: 24_000,
    funding_rule: 'all_or_nothing',
    video_url: '',
    meta: { hideFundingAmount: false, hideMemberCount: false },
    settings: { contact_email: 'lautta@example.fi', first_day_of_funding: '2026-11-28' },
    subscriptions_goals: [],
    team: [],
    invitations: [],
    review: aReview(),
    ...overrides,
  } as CampaignAdmin;
}
