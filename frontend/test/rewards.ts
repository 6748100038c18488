import { http, HttpResponse } from 'msw';
import type { RewardAdmin } from '../src/api/editing';
import { aReward } from './builders';
import { content, refusal, server } from './server';

/** A reward with 86 backers, added costs and questions; complete in Finnish, only its title in English. */
export function aRewardAdmin(overrides: Partial<RewardAdmin> = {}): RewardAdmin {
  return {
    reward_id: 5,
    campaign_id: 3,
    version: 4,
    amount: 45,
    kind: 'goods',
    is_monthly: false,
    stock: 100,
    stock_reserved: 86,
    active: 1,
    vat_percentage: 13.5,
    delivery: '2027-06',
    image: '',
    added_costs: [{ amount: 6.5, description: { fi: 'Avainkortti kirjeenä', en: 'Key card by post' } }],
    texts: {
      fi: {
        title: 'Iltavuoro kahdelle',
        description: 'Kolme tuntia arki-iltana.',
        image_alt: '',
        custom_questions: [
          { key: 'custom_question_1', text: 'ask_for_address' },
          { key: 'custom_question_2', text: 'Onko allergioita?' },
          { key: 'custom_question_3', text: 'Tarvitsetko rampin?' },
        ],
      },
      en: { title: 'An evening for two', description: '', image_alt: '', custom_questions: [] },
    },
    backers: 86,
    bought: [
      {
        amount: 45,
        vat_percentage: 13.5,
        language: 'fi',
        title: 'Iltavuoro kahdelle',
        description: 'Kolme tuntia, puut ja pyyhkeet.',
        delivery: '2027-06',
        backers: 86,
        first_at: '2026-10-06T10:00:00Z',
        last_at: '2026-11-19T10:00:00Z',
      },
    ],
    ...overrides,
  };
}

/** Fakes the server for creating rewards of campaign 3, one for each idempotency key, and changing them. */
export function serveNewRewards() {
  const state = {
    /** The idempotency keys of the requests, repeats included. */
    keys: [] as (string | null)[],
    /** The rewards by id, as their team reads them. */
    rewards: new Map<number, RewardAdmin>(),
    /**
     * How many responses to creations are still to be lost: the reward is created, the client gets a network error.
     */
    lost: 0,
    /** The HTTP status with which changes are refused; 0 for none. */
    refuse: 0,
  };
  const begun = new Map<string | null, number>();
  const of = (id: unknown) => state.rewards.get(Number(id));
  const change =
    (apply: (reward: RewardAdmin, body: never) => Partial<RewardAdmin>) =>
    async ({ request, params }: { request: Request; params: { id?: unknown } }) => {
      const reward = of(params.id);
      if (!reward) return refusal('not_found', 404);
      if (state.refuse) return refusal('unavailable', state.refuse);
      const next = {
        ...reward,
        ...apply(reward, (await request.json()) as never),
        version: reward.version + 1,
      };
      state.rewards.set(reward.reward_id, next);
      return HttpResponse.json({ reward: next });
    };
  server.use(
    http.post(content('/campaigns/3/rewards/'), ({ request }) => {
      const key = request.headers.get('Idempotency-Key');
      state.keys.push(key);
      const id = begun.get(key) ?? 40 + begun.size;
      begun.set(key, id);
      if (!of(id)) state.rewards.set(id, anEmptyReward(id));
      if (state.lost-- > 0) return HttpResponse.error();
      return HttpResponse.json({ reward: { reward_id: id, version: of(id)?.version } }, { status: 201 });
    }),
    http.get(content('/campaigns/3/rewards/:language/'), () =>
      HttpResponse.json({
        rewards: [...state.rewards.values()].map(({ reward_id, amount, active, texts }) =>
          aReward({ reward_id, amount, active, title: texts.fi?.title ?? '' }),
        ),
      }),
    ),
    http.get(content('/rewards/:id/admin/'), ({ params }) => HttpResponse.json({ reward: of(params.id) })),
    http.patch(
      content('/rewards/:id/'),
      change((_, body: object) => body),
    ),
    http.patch(
      content('/rewards/:id/language/'),
      change(({ texts }, body: RewardAdmin['texts']) => ({ texts: { ...texts, ...body } })),
    ),
  );
  return state;
}

/** A reward as the server creates it: hidden, without a title. */
const anEmptyReward = (reward_id: number): RewardAdmin =>
  aRewardAdmin({
    reward_id,
    version: 1,
    amount: 0,
    stock: 0,
    stock_reserved: 0,
    active: 0,
    vat_percentage: undefined,
    delivery: '',
    added_costs: [],
    texts: {},
    backers: 0,
    bought: [],
  });
