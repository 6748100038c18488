import type { Campaign, CampaignPreview, Experiment, Reward, Subscriptions } from '../src/api/content';
import type { Backer, PostPreview } from '../src/api/editing';
import type { OwnPledge } from '../src/api/own';
import type { Pledge } from '../src/api/pledging';
import type { Post } from '../src/api/post';
import type { Payment } from '../src/api/payments';
import type { LocalUser } from '../src/api/session';
import { now } from './clock';

// Builders of test data. The defaults are valid and simple, so that a test sets only what matters to it.

const day = 24 * 3_600_000;

/** The time this many days after the tests' `now`. */
export const inDays = (days: number) => new Date(now + days * day).toISOString();

/** A backer who is signed in. */
export function aUser(overrides: Partial<LocalUser> = {}): LocalUser {
  return {
    user_id: 7,
    first_name: 'Leena',
    last_name: 'Hakkarainen',
    email: 'leena@example.fi',
    verified: false,
    scope: ['view'],
    ...overrides,
  };
}

/** The preview of an open campaign with three quarters of its goal. */
export function aPreview(overrides: Partial<CampaignPreview> = {}): CampaignPreview {
  return {
    campaign_id: 3,
    slug: 'hoyry',
    title: 'Höyry – kylän yhteinen saunalautta',
    tagline: 'Puuttuu kiuas.',
    short_description: 'Lautan saa lainata jokainen.',
    project_pic: 'hoyry.svg',
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
    last_day_of_funding: '2026-11-26',
    funding_deadline: inDays(5.5),
    creator: {
      user_id: 9,
      name: 'Pielaveden kyläyhdistys',
      image: 'p.svg',
      verified: true,
      short_description: 'Kolmas kampanja.',
    },
    language: 'fi',
    likes: 148,
    ...overrides,
  };
}

/** The same campaign in full. */
export function aCampaign(overrides: Partial<Campaign> = {}): Campaign {
  return {
    ...aPreview(),
    long_description: '',
    html_description: '<p>Kiuas tilataan sepältä.</p>',
    video_url: '',
    my_relationships: [],
    acl: ['view'],
    funding_rule: 'all_or_nothing',
    languages: ['fi', 'en', 'sv'],
    version: 1,
    meta: { hideFundingAmount: false, hideMemberCount: false },
    settings: { contact_email: 'lautta@example.fi' },
    counts: { rewards: 1, posts: 1, backers: 312 },
    ...overrides,
  };
}

/** The subscriptions of a monthly campaign, with one of its two goals reached. */
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

/** A reward without limited stock, added costs and questions. */
export function aReward(overrides: Partial<Reward> = {}): Reward {
  return {
    reward_id: 5,
    reward_version: 1,
    title: 'Iltavuoro kahdelle',
    description: 'Kolme tuntia arki-iltana.',
    image: '',
    image_alt: '',
    amount: 45,
    stock: 0,
    stock_reserved: 0,
    quantity_max: 1000,
    active: 1,
    vat_percentage: 13.5,
    added_costs: [],
    custom_questions: [],
    asks_for_address: false,
    backers: 58,
    kind: 'goods',
    withdrawal: { days: 14, starts: 'delivery' },
    ...overrides,
  };
}

/** The preview of an update that anyone may read. */
export function aPostPreview(overrides: Partial<PostPreview> = {}): PostPreview {
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

/** The same update in full. */
export function aPost(overrides: Partial<Post> = {}): Post {
  return {
    ...aPostPreview(),
    content: { title: 'Kiuas on valittu', html: '<p>Vaihtoehtoja oli kolme.</p>' },
    ...overrides,
  };
}

/** A backer with a name. */
export function aBacker(overrides: Partial<Backer> = {}): Backer {
  return { name: 'Leena Hakkarainen', anonymous: false, amount: 45, image: 'p.svg', ...overrides };
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

/** A paid pledge as its backer sees it among their own. */
export function anOwnPledge(overrides: Partial<OwnPledge> = {}): OwnPledge {
  return {
    ...aPledge({ status: 'paid', receipt_number: 'TK-2026-004183', payment_method: 'Visa ···· 4242' }),
    last_name: 'Hakkarainen',
    name_shown: 'full_name',
    hide_amount: false,
    reward_title: 'Iltavuoro kahdelle',
    funding_rule: 'all_or_nothing',
    promised_at: '2026-11-20T11:00:00Z',
    charged_at: '2026-11-20T11:04:00Z',
    paid_at: '2026-11-20T11:04:00Z',
    withdrawal: { state: 'open', reason: 'campaign', until: '2026-11-30T21:59:59Z' },
    choice: { state: 'open', number: 0, until: '2026-11-30T21:59:59Z', unit: 45, added: 0, extra: 0 },
    ...overrides,
  };
}

/** The unpaid payment of that pledge. */
export function aPayment(overrides: Partial<Payment> = {}): Payment {
  return {
    payment_id: '01JD0000000000000000000100',
    pledge_id: '01JD0000000000000000000001',
    status: 'created',
    amount_minor: 4500,
    currency: 'EUR',
    ...overrides,
  };
}

/** A running experiment, with a valid link and one that must not be rendered as a link. */
export function anExperiment(overrides: Partial<Experiment> = {}): Experiment {
  return {
    experiment_id: 41,
    slug: 'tyokaluseina',
    stage: 2,
    title: 'Kirjasto lainaa työkaluja',
    short_description: '140 porakonetta.',
    image: 'rug.svg',
    owner_name: 'Tampereen kaupunki',
    show_in: {},
    place: 'Hervanta',
    language: 'fi',
    html_description: '<p>Pora elää yksitoista minuuttia.</p>',
    tags: [{ id: 1, label: 'jakaminen' }],
    links: [
      { url: 'https://tyokaluseina.fi', title: 'tyokaluseina.fi' },
      { url: 'javascript:alert(1)', title: 'paha' },
    ],
    like_count: 326,
    disabled: false,
    my_relationships: [],
    stage_dates: [
      { stage: 0, since: '2026-01-12T08:00:00Z' },
      { stage: 1, since: '2026-03-03T08:00:00Z' },
      { stage: 2, since: '2026-05-04T08:00:00Z' },
    ],
    team: [
      { user_id: 5, name: 'Noora Salminen', image: 'avatar-5.svg', short_description: 'Palvelumuotoilija' },
    ],
    custom_language: {},
    image_collection: {},
    image_alt: '',
    geographic_location: { place: 'Hervanta' },
    funding: {
      goal: 52_000,
      raised: 38_400,
      currency: 'EUR',
      sources: {
        crowd: { raised: 23_900 },
        state: { raised: 0 },
        organizations: { raised: 14_500, list: [{ name: 'Ympäristöministeriö', raised: 14_500 }] },
      },
    },
    ...overrides,
  };
}
