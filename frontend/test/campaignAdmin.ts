import { http, HttpResponse } from 'msw';
import type {
  CampaignAdmin,
  CampaignPart,
  CampaignTexts,
  HistoryChange,
  PartKind,
  PartName,
  SubscriptionGoalsChange,
} from '../src/api/editing';
import { aCampaign } from './builders';
import { serveCampaign } from './campaigns';
import { content, refusal, server } from './server';

/** A campaign's texts in one language. */
export function someTexts(overrides: Partial<CampaignTexts> = {}): CampaignTexts {
  return {
    title: 'Höyry',
    tagline: 'Puuttuu kiuas.',
    short_description: 'Lautan saa lainata jokainen.',
    about_creator: '',
    json_description: { type: 'doc', content: [] },
    project_pic_alt: '',
    updated_at: '2026-11-20T10:00:00Z',
    ...overrides,
  };
}

/** The parts of a campaign, with what becomes of their changes in a stage; as campaigns.Parts of the content service. */
export function someParts(stage = 0): CampaignPart[] {
  const of = (approved: PartKind, opened: PartKind, rows: Partial<Record<PartName, readonly string[]>>) =>
    Object.entries(rows).map(([part, fields]): CampaignPart => ({
      part: part as PartName,
      kind: stage === 0 ? 'free' : stage === 1 ? approved : opened,
      fields: [...fields],
    }));
  return [
    ...of('fixed', 'fixed', { form: ['language', 'opens_as'] }),
    ...of('back_to_queue', 'to_be_seen', { title: ['title'], goals: ['subscriptions_goals'] }),
    ...of('back_to_queue', 'fixed', {
      legal_creator: ['legal_creator', 'legal_creator_type'],
      goal: ['min_goal', 'target_goal'],
      funding_rule: ['funding_rule'],
      dates: ['first_day_of_funding', 'last_day_of_funding'],
    }),
    ...of('to_be_seen', 'to_be_seen', {
      tagline: ['tagline'],
      short_description: ['short_description'],
      cover: ['project_pic', 'project_pic_alt'],
      video: ['video_url'],
      story: ['json_description'],
      about_creator: ['about_creator'],
      creator: [],
      creator_pic: ['creator_pic'],
      team: ['team'],
      contact: ['contact_email'],
      link: ['external_link_1'],
      place: ['place'],
      category: ['categories'],
      tags: ['tags'],
      custom_texts: ['custom_language'],
      hidden: ['hideFundingAmount', 'hideMemberCount'],
      variations: ['content_variations'],
      reward: ['reward.amount'],
    }),
    ...of('free', 'free', { account: ['payment_account_id'] }),
  ];
}

/** A draft, as its team reads it. */
export function aCampaignAdmin(overrides: Partial<CampaignAdmin> = {}): CampaignAdmin {
  return {
    campaign_id: 3,
    slug: 'hoyry',
    version: 3,
    stage: 0,
    opens_as: 2,
    language: 'fi',
    texts: { fi: someTexts() },
    custom_language: {},
    project_pic: 'hoyry.svg',
    creator_pic: '',
    categories: [1],
    tags: [{ id: 1, label: 'Sauna' }],
    place: 'Pielavesi',
    currency: 'EUR',
    min_goal: 12_000,
    target_goal: 24_000,
    funding_rule: 'all_or_nothing',
    video_url: '',
    meta: { hideFundingAmount: false, hideMemberCount: false },
    settings: { contact_email: 'lautta@example.fi' },
    subscriptions_goals: [],
    team: [
      {
        user_id: 7,
        email: 'leena@example.fi',
        name: 'Leena Hakkarainen',
        image: '',
        is_former: false,
        meta: {},
      },
      { user_id: 12, email: 'tuomo@example.fi', name: 'Tuomo', image: '', is_former: false, meta: {} },
    ],
    invitations: [],
    parts: someParts(overrides.stage),
    review: {
      state: 'none',
      round: 0,
      checklist: [
        { key: 'title', done: true, needed: true },
        { key: 'story', done: false, needed: true },
        { key: 'payment_account', done: false, needed: false },
        { key: 'translations', done: false, needed: false, language: 'sv' },
      ],
      notes: [],
      history: [],
    },
    ...overrides,
  };
}

/** The state of the fake server, which a test reads and changes while it runs. */
export interface ServedCampaign {
  admin: CampaignAdmin;
  /** The accepted changes: path, body and If-Match header. */
  sent: { path: string; body: unknown; upon: string | null }[];
  /** How many changes were refused with 412, because their If-Match named another version. */
  crossed: number;
  /** The HTTP status with which changes are refused; 0 for none. */
  refuse: number;
  history: HistoryChange[];
}

/**
 * Fakes the server for editing one campaign: applies changes of texts, settings and the like, and raises its version.
 */
export function serveEditing(first: CampaignAdmin = aCampaignAdmin()): ServedCampaign {
  const state: ServedCampaign = { admin: first, sent: [], crossed: 0, refuse: 0, history: [] };
  const at = (rest: string) => content(`/campaigns/3/${rest}`);
  serveCampaign(aCampaign({ acl: ['view', 'edit'], stage: first.stage }), []);
  const change =
    (path: string, apply: (admin: CampaignAdmin, body: never) => Partial<CampaignAdmin>) =>
    async ({ request }: { request: Request }) => {
      const body = (await request.json()) as never;
      if (state.refuse) return refusal(state.refuse === 401 ? 'token_expired' : 'unavailable', state.refuse);
      const upon = request.headers.get('If-Match');
      if (upon !== null && upon !== `"${state.admin.version}"`) {
        state.crossed += 1;
        return refusal('changed_meanwhile', 412);
      }
      state.sent.push({ path, body, upon });
      state.admin = {
        ...state.admin,
        ...apply(state.admin, body),
        version: state.admin.version + 1,
      };
      const { version } = state.admin;
      return HttpResponse.json({ version, campaign: state.admin });
    };
  server.use(
    http.get(at('rewards/:language/'), () => HttpResponse.json({ rewards: [] })),
    http.get(at('admin/'), () => HttpResponse.json({ campaign: state.admin })),
    http.get(at('review/changes/'), () =>
      HttpResponse.json({
        state: state.admin.review.state,
        stage: state.admin.stage,
        version: 3,
        parts: [],
        names: {},
      }),
    ),
    http.get(at('history/'), () =>
      HttpResponse.json({ changes: state.history, total: state.history.length }),
    ),
    http.get(content('/campaigns/categories/'), () =>
      HttpResponse.json({ categories: [{ id: 1, label: 'Yhteisö' }] }),
    ),
    http.get(content('/campaigns/tags/'), () =>
      HttpResponse.json({
        tags: [
          { id: 1, label: 'Sauna' },
          { id: 2, label: 'Talkoot' },
        ],
      }),
    ),
    http.patch(
      at('language/'),
      change('language', (admin, body: Record<'fi', Partial<CampaignTexts>>) => ({
        texts: {
          ...admin.texts,
          ...Object.fromEntries(
            Object.entries(body).map(([language, texts]) => [
              language,
              { ...(admin.texts[language as 'fi'] ?? someTexts({ title: '', tagline: '' })), ...texts },
            ]),
          ),
        },
      })),
    ),
    http.patch(
      at('settings/'),
      change('settings', (_, body) => body as Partial<CampaignAdmin>),
    ),
    http.patch(
      at('meta/'),
      change('meta', (admin, body) => ({ meta: { ...admin.meta, ...(body as object) } })),
    ),
    http.post(
      at('tags/'),
      change('tags', () => ({})),
    ),
    http.post(
      at('subscriptions_goals/'),
      change('goals', (_, { subscriptions_goals }: SubscriptionGoalsChange) => ({
        subscriptions_goals: subscriptions_goals.map(({ goal_id = 99, target, title, description = '' }) => ({
          goal_id,
          target,
          texts: { fi: { title, description } },
        })),
      })),
    ),
    http.patch(
      at('admin/'),
      change('admin', () => ({})),
    ),
  );
  return state;
}
