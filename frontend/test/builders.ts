import type { Campaign, CampaignPreview, Pledge, Reward } from '../src/api/content';

/** The preview of a campaign that is half way; a test names what matters to it. */
export function aPreview(overrides: Partial<CampaignPreview> = {}): CampaignPreview {
  return {
    campaign_id: 3,
    slug: 'hoyry',
    title: 'Höyry – kylän yhteinen saunalautta',
    tagline: 'Kelluva sauna koko kylälle.',
    short_description: '',
    project_pic: 'hoyry.svg',
    stage: 2,
    category_id: 1,
    categories: [1],
    tags: [],
    place: 'Pielavesi',
    currency: 'EUR',
    min_goal: 0,
    target_goal: 24_000,
    funding_reached: 18_420,
    funding_settling: 1_240,
    number_of_backers: 312,
    hide_funding_amount: false,
    hide_member_count: false,
    last_day_of_funding: '2026-11-26',
    creator: {
      user_id: 9,
      name: 'Pielaveden kyläyhdistys',
      image: '',
      verified: true,
      short_description: '',
    },
    language: 'fi',
    likes: 0,
    ...overrides,
  };
}

/** The whole of the same campaign. */
export function aCampaign(overrides: Partial<Campaign> = {}): Campaign {
  return {
    ...aPreview(),
    long_description: '',
    html_description: '',
    video_url: '',
    my_relationships: [],
    acl: ['view'],
    funding_rule: 'all_or_nothing',
    languages: ['fi', 'en', 'sv'],
    version: 1,
    meta: { hideFundingAmount: false, hideMemberCount: false },
    settings: { contact_email: '' },
    counts: { rewards: 2, posts: 0, backers: 312 },
    ...overrides,
  };
}

/** A reward without limits and without questions. */
export function aReward(overrides: Partial<Reward> = {}): Reward {
  return {
    reward_id: 5,
    title: 'Iltavuoro kahdelle',
    description: 'Kolme tuntia arki-iltana.',
    image: '',
    amount: 45,
    stock: 0,
    stock_reserved: 0,
    quantity_max: 1000,
    active: 1,
    vat_percentage: 13.5,
    added_costs: [],
    custom_questions: [],
    asks_for_address: false,
    backers: 0,
    ...overrides,
  };
}

/** A pledge that waits for its payment. */
export function aPledge(overrides: Partial<Pledge> = {}): Pledge {
  return {
    pledge_id: '01JD0000000000000000000001',
    campaign_id: 3,
    reward_id: 5,
    status: 'created',
    amount: 45,
    currency: 'EUR',
    quantity: 1,
    lines: [{ label: 'Iltavuoro kahdelle', amount: 45 }],
    email: 'leena@example.fi',
    first_name: 'Leena',
    reserved_until: '2026-11-20T12:30:00Z',
    campaign: aPreview(),
    ...overrides,
  };
}
