import type { RewardAdmin } from '../src/api/editing';

/** A reward that 86 people have, with costs and questions, written in Finnish and begun in English. */
export function aRewardAdmin(overrides: Partial<RewardAdmin> = {}): RewardAdmin {
  return {
    reward_id: 5,
    campaign_id: 3,
    version: 4,
    amount: 45,
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
