import { aReward, aUser } from '../../../../test/builders';
import { formatMoney } from '../../../i18n/format';
import { pledgeFaults } from './rules';
import { purchaseOf } from './order';
import { asFormErrors } from './serverErrors';
import { sumOf } from './sums';
import { initialValues, type PledgeValues } from './values';

const reward = aReward({
  amount: 45,
  stock: 20,
  stock_reserved: 6,
  quantity_max: 20,
  asks_for_address: true,
  custom_questions: [
    { key: 'custom_question_1', text: 'ask_for_address' },
    { key: 'custom_question_2', text: 'Koko?' },
  ],
  added_costs: [
    { amount: 0, description: 'Nouto' },
    { amount: 6.5, description: 'Kirje' },
    { amount: 0, description: 'Nouto kirjastosta', without_address: true },
  ],
});
const question = `question_${reward.reward_id}_custom_question_2`;

const money = (cents: number) => formatMoney('fi', cents / 100, { cents: true });
const today = '2026-11-20';
const filled = (changes: Partial<PledgeValues> = {}): PledgeValues => ({
  ...initialValues([reward], aUser(), undefined),
  added_cost: 0,
  method: 'card',
  address_street: 'Opintie 14 B 3',
  address_postcode: '72400',
  address_city: 'Pielavesi',
  [question]: 'M',
  ...changes,
});
const faultsOf = (
  changes: Partial<PledgeValues>,
  context: { reward?: typeof reward; isSignedIn?: boolean; needsPayer?: boolean },
) =>
  Object.fromEntries(
    Object.entries(
      pledgeFaults(filled(changes), {
        reward: undefined,
        isSignedIn: false,
        money,
        needsPayer: false,
        today,
        ...context,
      }),
    )
      .filter(([, fault]) => fault)
      .map(([field, fault]) => [field, fault?.key]),
  );

test.each<[string, Partial<PledgeValues>, Record<string, string>]>([
  ['everything is filled in', {}, {}],
  ['a postcode of four digits', { address_postcode: '7240' }, { address_postcode: 'postcode' }],
  ['a country without postcodes', { added_cost: 1, address_country: 'AE', address_postcode: '' }, {}],
  ['no postcode in Ireland', { added_cost: 1, address_country: 'IE', address_postcode: ' ' }, {}],
  [
    'no postcode in Estonia',
    { added_cost: 1, address_country: 'EE', address_postcode: '' },
    { address_postcode: 'required' },
  ],
  ['a Swedish postcode', { added_cost: 1, address_country: 'SE', address_postcode: '111 22' }, {}],
  [
    'a Finnish postcode in Sweden',
    { added_cost: 1, address_country: 'SE', address_postcode: '7240' },
    { address_postcode: 'postcodeLike' },
  ],
  [
    'a postcode of a country whose format is unknown',
    { address_country: 'JP', address_postcode: '100-0001' },
    {},
  ],
  ['neither pick-up nor post is chosen', { added_cost: -1, address_street: '' }, { added_cost: 'choose' }],
  [
    'no address if the reward is picked up',
    { added_cost: 2, address_street: '', address_postcode: '', address_city: '' },
    {},
  ],
  ['no street', { address_street: ' ' }, { address_street: 'required' }],
  ['the phone is optional', { address_phone: '' }, {}],
  ['no answer to a question', { [question]: '' }, { [question]: 'required' }],
  ['no pieces', { quantity: '0' }, { quantity: 'minValue' }],
  ['no number of pieces', { quantity: '' }, { quantity: 'required' }],
  ['half a piece', { quantity: '1,5' }, { quantity: 'numeric' }],
  ['more than are left', { quantity: '15' }, { quantity: 'atMost' }],
  ['all that are left', { quantity: '14' }, {}],
  ['an extra amount that is not a number', { extra: 'kymppi' }, { extra: 'decimal' }],
  ['no email', { email: '' }, { email: 'required' }],
  ['no names', { first_name: '', last_name: ' ' }, { first_name: 'required', last_name: 'required' }],
  [
    'a new account',
    { account: 'new', password: 'lyhyt', password_again: 'eri' },
    { password: 'minLength', password_again: 'confirmed' },
  ],
  [
    'an existing account needs no names',
    { account: 'existing', first_name: '', last_name: '' },
    { password: 'required' },
  ],
])('with a reward: %s', (_, changes, faults) => expect(faultsOf(changes, { reward })).toEqual(faults));

test('for a signed-in user the account fields have no rules', () =>
  expect(faultsOf({ account: 'new' }, { reward, isSignedIn: true })).toEqual({}));

test.each<[string, Record<string, string>]>([
  ['', { amount: 'required' }],
  ['0', { amount: 'minValue' }],
  ['0,49', { amount: 'minValue' }],
  ['0,50', {}],
  ['1', {}],
  ['100 000', {}],
  ['100 000,01', { amount: 'atMost' }],
  ['1,234', { amount: 'decimal' }],
])('custom amount: %j', (amount, faults) =>
  expect(faultsOf({ without_reward: true, chosen_amount: 'custom', amount }, {})).toEqual(faults),
);

test.each<[string, Partial<PledgeValues>, Record<string, string>, number]>([
  ['nothing chosen', {}, { reward: 'choose' }, 0],
  ['without a reward, no amount chosen', { without_reward: true }, { chosen_amount: 'choose' }, 0],
  ['a suggested amount', { without_reward: true, chosen_amount: '25', amount: 'no sum' }, {}, 2_500],
  ['a custom amount starts at 1', { without_reward: true, chosen_amount: 'custom' }, {}, 100],
])('%s', (_, changes, faults, cents) => {
  expect(faultsOf(changes, {})).toEqual(faults);
  expect(sumOf(filled(changes), undefined).totalCents).toBe(cents);
});

test('the address is part of the order only if the reward is sent', () => {
  const context = { campaignId: 3, reward, language: 'fi', isSignedIn: false, needsPayer: false } as const;
  const metaOf = (added_cost: number) => purchaseOf(filled({ added_cost }), context).newPledge.pledge_meta;
  expect(metaOf(1)).toMatchObject({ address_city: 'Pielavesi', address_country: 'FI' });
  expect(Object.keys(metaOf(2)).filter((name) => name.startsWith('address'))).toEqual([]);
});

test.each<[Partial<PledgeValues>, number]>([
  [{}, 4500],
  [{ quantity: '2', added_cost: 1 }, 9650],
  [{ quantity: '2', added_cost: 1, extra: '3,50' }, 10000],
  [{ quantity: '', added_cost: 9 }, 4500],
])('the total is quantity times price, plus the added cost, plus the extra amount: %j', (changes, cents) =>
  expect(sumOf(filled(changes), reward).totalCents).toBe(cents),
);

test('only the fields that the reward asks for are sent', () => {
  const context = { campaignId: 3, language: 'fi' as const, isSignedIn: true, needsPayer: false };
  const plain = purchaseOf(filled({ without_reward: true, chosen_amount: 'custom', amount: '12,50' }), {
    ...context,
    reward: undefined,
  });
  expect(plain.newPledge).toEqual({
    amount: 12.5,
    reward_id: null,
    pledge_meta: {
      email: 'leena@example.fi',
      first_name: 'Leena',
      last_name: 'Hakkarainen',
      anonymous: false,
      hide_amount: false,
      language: 'fi',
    },
  });
  const whole = purchaseOf(filled({ quantity: '2', added_cost: 1 }), { ...context, reward });
  expect(whole.newPledge).toMatchObject({
    amount: 96.5,
    reward_id: reward.reward_id,
    pledge_meta: {
      quantity: 2,
      added_cost: 1,
      address_postcode: '72400',
      custom_questions: { custom_question_2: 'M' },
    },
  });
});

test('a draft restores only fields that the form has, and no passwords', () => {
  const draft = { email: 'uusi@example.fi', quantity: 3, password: 'x', somethingOld: 'y' };
  const values = initialValues([reward], null, draft);
  expect(values).toMatchObject({ email: 'uusi@example.fi', quantity: '1' });
  expect(values).not.toHaveProperty('somethingOld');
});

test('the server’s validation errors are mapped to the fields of the form', () => {
  const error = (path: string) => ({ path, rule: 'required', message: '' });
  const paths = ['amount', 'pledge_meta.custom_questions.custom_question_2', 'pledge_meta.email'];
  expect(asFormErrors(paths.map(error), reward).map(({ path }) => path)).toEqual([
    'extra',
    question,
    'pledge_meta.email',
  ]);
});

test('the quantity is limited by what one pledge may take', () => {
  const many = { ...reward, quantity_max: 10 };
  const unlimited = { ...reward, stock: 0, quantity_max: 1000 };
  expect(faultsOf({ quantity: '10' }, { reward: many })).toEqual({});
  expect(faultsOf({ quantity: '11' }, { reward: many })).toEqual({ quantity: 'atMost' });
  expect(faultsOf({ quantity: '1000' }, { reward: unlimited })).toEqual({});
  expect(faultsOf({ quantity: '1001' }, { reward: unlimited })).toEqual({ quantity: 'atMost' });
});
