import type {
  Backer,
  Campaign,
  CampaignPreview,
  PostPreview,
  Reward,
  Subscriptions,
} from '../../../api/content';

const day = 24 * 3_600_000;

/** A moment this many days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

export function aPreview(overrides: Partial<CampaignPreview> = {}): CampaignPreview {
  return {
    campaign_id: 1,
    slug: 'saunalautta',
    title: 'Saunalautta',
    tagline: 'Puuttuu kiuas.',
    short_description: 'Lautan saa lainata jokainen.',
    project_pic: 'sauna.svg',
    stage: 2,
    category_id: 1,
    category: 'Yhteisö',
    categories: [1],
    tags: [],
    place: 'Pielavesi',
    currency: 'EUR',
    min_goal: 0,
    target_goal: 24_000,
    funding_reached: 18_420,
    funding_settling: 0,
    number_of_backers: 312,
    hide_funding_amount: false,
    hide_member_count: false,
    funding_deadline: inDays(5.5),
    creator: {
      user_id: 2,
      name: 'Kyläyhdistys',
      image: 'p.svg',
      verified: true,
      short_description: 'Kolmas kampanja.',
    },
    language: 'fi',
    likes: 148,
    ...overrides,
  };
}

export function aCampaign(overrides: Partial<Campaign> = {}): Campaign {
  return {
    ...aPreview(),
    long_description: '',
    html_description: '<p>Kiuas tilataan sepältä.</p>',
    video_url: '',
    my_relationships: [],
    acl: [],
    funding_rule: 'all_or_nothing',
    languages: ['fi'],
    version: 1,
    meta: { hideFundingAmount: false, hideMemberCount: false },
    settings: { contact_email: 'lautta@example.fi' },
    counts: { rewards: 1, posts: 1, backers: 312 },
    ...overrides,
  };
}

export function someSubscriptions(overrides: Partial<Subscriptions> = {}): Subscriptions {
  return {
    subscriptions_amount_total: 1_290,
    subscriptions_subscribers_count: 184,
    subscriptions_goals: [
      { goal_id: 3, target: 210, title: 'Piano', description: 'Pysyy vireessä.' },
      { goal_id: 1, target: 100, title: 'Sali', description: 'Saavutettiin maaliskuussa.' },
    ],
    ...overrides,
  };
}

export function aReward(overrides: Partial<Reward> = {}): Reward {
  return {
    reward_id: 7,
    title: 'Löylykauha',
    description: 'Nimesi varteen.',
    image: '',
    amount: 10,
    stock: 0,
    stock_reserved: 0,
    quantity_max: 1000,
    active: 1,
    added_costs: [],
    custom_questions: [],
    asks_for_address: false,
    backers: 58,
    ...overrides,
  };
}

export function aPost(overrides: Partial<PostPreview> = {}): PostPreview {
  return {
    id: 4,
    status: 'published',
    title: 'Kiuas on valittu',
    intro: 'Paino 190 kiloa.',
    language: 'fi',
    published_at: '2026-11-14T10:00:00Z',
    meta: { level: 0 },
    restricted: false,
    type_id: 1,
    ...overrides,
  };
}

export function aBacker(overrides: Partial<Backer> = {}): Backer {
  return { name: 'Leena Hakkarainen', anonymous: false, amount: 45, image: 'p.svg', ...overrides };
}
