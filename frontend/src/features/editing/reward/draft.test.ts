import { aRewardAdmin } from '../../../../test/rewards';
import { changesOf, draftOf, faultsOf, newReward, vatWithin } from './draft';

const reward = aRewardAdmin();

test('an untouched form has no changes', () => {
  expect(changesOf(reward, draftOf(reward, 'fi'))).toEqual({ reward: undefined, texts: undefined, count: 0 });
});

test('only what differs is sent, split between the two endpoints', () => {
  const draft = draftOf(reward, 'fi');
  const changes = changesOf(reward, {
    ...draft,
    stock: '',
    vat: '',
    title: { ...draft.title, en: 'An evening' },
  });
  expect(changes).toEqual({
    reward: { stock: 0, vat_percentage: null },
    texts: { en: { title: 'An evening' } },
    count: 3,
  });
});

test('removing a question keeps the order and the keys of the others, because answers are stored by key', () => {
  const draft = draftOf(reward, 'fi');
  const questions = draft.questions.map((question, place) =>
    place === 1 ? { ...question, isRemoved: true } : question,
  );
  expect(changesOf(reward, { ...draft, questions }).texts?.fi?.custom_questions).toEqual([
    { key: 'custom_question_1', text: 'ask_for_address' },
    { key: 'custom_question_3', text: 'Tarvitsetko rampin?' },
  ]);
});

test.each([
  ['less than are reserved', { stock: '80' }, { stock: { key: 'stockReserved', params: { reserved: 86 } } }],
  ['no limit on the stock', { stock: '' }, {}],
  ['a price with decimals', { amount: '45,50' }, { amount: { key: 'numeric' } }],
  ['the most that can be pledged', { amount: '100000' }, {}],
  ['more than can be pledged', { amount: '100001' }, { amount: { key: 'atMost', params: { max: 100_000 } } }],
  [
    'a far too large price',
    { amount: '99999999999' },
    { amount: { key: 'atMost', params: { max: 100_000 } } },
  ],
  ['a negative price', { amount: '-5' }, { amount: { key: 'minValue', params: { min: 1 } } }],
  ['visible for nothing', { amount: '0' }, { amount: { key: 'minValue', params: { min: 1 } } }],
  ['a far too large stock', { stock: '99999999' }, { stock: { key: 'atMost', params: { max: 1_000_000 } } }],
  ['visible without a price', { amount: '' }, { amount: { key: 'required' } }],
  ['hidden without a price', { amount: '', isHidden: true }, {}],
])('%s', (_, typed, faults) => {
  expect(faultsOf({ ...draftOf(reward, 'fi'), ...typed }, reward)).toEqual(faults);
});

test('an added cost needs an amount and a name', () => {
  const costs = [{ id: 'c', amount: '6.505', description: { fi: '', en: '', sv: '' } }];
  expect(Object.keys(faultsOf({ ...draftOf(reward, 'fi'), costs }, reward))).toEqual(['c-amount', 'c']);
});

test('a new reward needs a name even if it is hidden', () => {
  const hidden = newReward(3, false);
  expect(faultsOf(draftOf(hidden, 'fi'), hidden)).toEqual({ title: { key: 'required' } });
});

test('the price includes VAT', () => {
  expect(vatWithin(45, 13.5)).toBe(535);
});
