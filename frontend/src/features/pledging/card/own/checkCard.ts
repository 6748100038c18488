import { pasted } from '../../../../domain/pasted';

/** A card as it is typed. */
export interface TypedCard {
  number: string;
  /** One or two digits. */
  month: string;
  /** Two or four digits. */
  year: string;
  cvc: string;
}

/** The provider's result codes of what is wrong in each field; the month and the year are one. */
export interface CardFaults {
  number?: '105202';
  date?: '105203';
  cvc?: '105204';
}

/** The field that one of the provider's result codes is about; undefined of codes about something else. */
export function fieldFaultOf(code: string | undefined): CardFaults | undefined {
  switch (code) {
    case '105202':
      return { number: code };
    case '105203':
      return { date: code };
    case '105204':
      return { cvc: code };
    default:
      return undefined;
  }
}

/** The brands that the field can name. */
export type Brand = 'visa' | 'mastercard' | 'amex' | 'maestro';

const brands: readonly (readonly [Brand, RegExp])[] = [
  ['amex', /^3[47]/],
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['maestro', /^(50|5[6-9]|6)/],
];

/** Only the digits of a text. */
export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** The brand of a number by its first digits; undefined while they do not tell. */
export function brandOf(number: string): Brand | undefined {
  const digits = digitsOf(number);
  return brands.find(([, first]) => first.test(digits))?.[0];
}

/** A number in the groups that are on the card: fours, or 4, 6 and 5 of an American Express. At most 19 digits. */
export function grouped(number: string): string {
  const digits = digitsOf(number).slice(0, 19);
  const groups = brandOf(digits) === 'amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : undefined;
  if (groups) return (groups.exec(digits)?.slice(1) ?? []).filter(Boolean).join(' ');
  return digits.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** A card without what is copied along with its digits. */
export function plainCard({ number, month, year, cvc }: TypedCard): TypedCard {
  const plain = (text: string) => pasted(text).trim();
  return { number: plain(number), month: plain(month), year: plain(year), cvc: plain(cvc) };
}

/** What is wrong with a card; `now` in milliseconds. A card is good until the end of its month. */
export function cardFaults(typed: TypedCard, now: number): CardFaults {
  const card = plainCard(typed);
  const digits = digitsOf(card.number);
  const isNumber = digits.length >= 12 && digits.length <= 19 && /^[\d\s-]+$/.test(card.number);
  return {
    ...(!(isNumber && passesLuhn(digits)) && { number: '105202' }),
    ...(!isDateToCome(card, now) && { date: '105203' }),
    ...(!isCvc(card) && { cvc: '105204' }),
  };
}

/** The expiry as the provider takes it: MMYY. */
export function expiryOf(card: Pick<TypedCard, 'month' | 'year'>): string {
  const { month, year } = plainCard({ number: '', cvc: '', ...card });
  return month.padStart(2, '0') + year.slice(-2);
}

function isDateToCome({ month, year }: TypedCard, now: number): boolean {
  if (!/^\d{1,2}$/.test(month) || !/^(\d{2}|20\d{2})$/.test(year)) return false;
  const ofYear = Number(month);
  if (ofYear < 1 || ofYear > 12) return false;
  const today = new Date(now);
  const last = 2000 + Number(year.slice(-2));
  return last * 12 + ofYear >= today.getFullYear() * 12 + today.getMonth() + 1;
}

/** Three digits; four of an American Express; a Maestro may have none. */
function isCvc({ number, cvc }: TypedCard): boolean {
  switch (brandOf(number)) {
    case 'amex':
      return /^\d{4}$/.test(cvc);
    case 'maestro':
      return /^(\d{3})?$/.test(cvc);
    default:
      return /^\d{3}$/.test(cvc);
  }
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
