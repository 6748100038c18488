import { brandOf, cardFaults, expiryOf, grouped, type TypedCard } from './checkCard';

const now = Date.parse('2026-11-20T12:00:00Z');
const card = (changes: Partial<TypedCard> = {}): TypedCard => ({
  number: '4970 1071 1111 1119',
  month: '11',
  year: '2028',
  cvc: '123',
  ...changes,
});

test.each<[string, Partial<TypedCard>, object]>([
  ['a Visa', {}, {}],
  ['a Mastercard without spaces', { number: '5555555555554444' }, {}],
  ['an American Express with its four digits', { number: '3759 891111 11119', cvc: '1234' }, {}],
  ['a Maestro without a CVC', { number: '5033 9510 0000 0004', cvc: '' }, {}],
  [
    'what is copied with invisible marks and other spaces and hyphens',
    {
      number: '\u202a4970\u00a01071\u20111111\u202f1119\u202c',
      month: '\u200e11',
      year: '2028\u200b',
      cvc: '\ufeff123',
    },
    {},
  ],
  ['the year in two digits, the month in one', { month: '1', year: '28' }, {}],
  ['a card in its last month', { month: '11', year: '2026' }, {}],
  ['a mistyped digit', { number: '4970 1071 1111 1118' }, { number: '105202' }],
  ['a number that is too short', { number: '4242 4242' }, { number: '105202' }],
  ['letters in the number', { number: '4970 1071 1111 111x 9' }, { number: '105202' }],
  ['no number', { number: '' }, { number: '105202' }],
  ['last month', { month: '10', year: '2026' }, { date: '105203' }],
  ['last year', { month: '12', year: '25' }, { date: '105203' }],
  ['a thirteenth month', { month: '13' }, { date: '105203' }],
  ['no month', { month: '' }, { date: '105203' }],
  ['a year of three digits', { year: '028' }, { date: '105203' }],
  ['two digits of a CVC', { cvc: '12' }, { cvc: '105204' }],
  ['no CVC', { cvc: '' }, { cvc: '105204' }],
  ['four digits on a Visa', { cvc: '1234' }, { cvc: '105204' }],
  ['three digits on an American Express', { number: '3759 891111 11119', cvc: '123' }, { cvc: '105204' }],
])('%s', (_, changes, faults) => expect(cardFaults(card(changes), now)).toEqual(faults));

test.each([
  ['4970107', '4970 107'],
  ['4970-1071 11111119', '4970 1071 1111 1119'],
  ['375989111111119', '3759 891111 11119'],
  ['37598', '3759 8'],
  ['', ''],
])('%s is shown as on the card', (typed, shown) => expect(grouped(typed)).toBe(shown));

test.each([
  ['4', 'visa'],
  ['51', 'mastercard'],
  ['2221', 'mastercard'],
  ['37', 'amex'],
  ['5033', 'maestro'],
  ['9', undefined],
])('%s begins a number of %s', (typed, brand) => expect(brandOf(typed)).toBe(brand));

test('the expiry is sent as four digits', () => {
  expect(expiryOf({ month: '1', year: '2028' })).toBe('0128');
  expect(expiryOf({ month: '11', year: '28' })).toBe('1128');
});
