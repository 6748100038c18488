import { ibanLengths } from './sepa';

/** What is wrong with an account number: letters and length, its check digits, or a country that cannot be debited, or paid to. */
export type IbanFault = 'ibanForm' | 'ibanDigits' | 'ibanCountry' | 'ibanPayout';

/** An account number in capitals, without what stands between its signs, or IBAN before them, where it was copied from. */
export const compactIban = (typed: string) =>
  typed
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
    .replace(/^IBAN/, '');

/** An account number in fours, as it is written on a bill. */
export const ibanInFours = (typed: string) => compactIban(typed).replace(/(.{4})(?=.)/g, '$1 ');

/** What is wrong with an account number; undefined of one that can be debited. */
export function ibanFault(typed: string): IbanFault | undefined {
  // Denmark and Sweden are in the area, but their banks take no debits in euros.
  if (/^(DK|SE)\d{2}/.test(compactIban(typed))) return 'ibanCountry';
  const fault = payoutIbanFault(typed);
  return fault === 'ibanPayout' ? 'ibanCountry' : fault;
}

/** What is wrong with an account number; undefined of one that can be paid to. */
export function payoutIbanFault(typed: string): IbanFault | undefined {
  const iban = compactIban(typed);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(iban)) return 'ibanForm';
  const length = ibanLengths[iban.slice(0, 2)];
  if (length === undefined) return 'ibanPayout';
  if (iban.length !== length) return 'ibanForm';
  return rest(iban) === 1 ? undefined : 'ibanDigits';
}

/** The remainder of 97 of the number that an IBAN spells, digit by digit: it has more digits than a number holds. */
function rest(iban: string): number {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (sign) => parseInt(sign, 36)).join('');
  return Array.from(digits).reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0);
}

/** Whether as much is typed as the country's numbers have, so that a fault is one. */
export function isWholeIban(typed: string): boolean {
  const iban = compactIban(typed);
  const length = ibanLengths[iban.slice(0, 2)];
  return length === undefined ? iban.length >= 15 : iban.length >= length;
}

// The first digits after the check digits tell the bank of a Finnish number, but for small banks that have merged.
const finnishBanks: readonly (readonly [RegExp, string])[] = [
  [/^405|^497/, 'Aktia'],
  [/^47/, 'POP Pankki'],
  [/^[12]/, 'Nordea'],
  [/^34|^8/, 'Danske Bank'],
  [/^3[69]/, 'S-Pankki'],
  [/^5/, 'OP'],
  [/^6/, 'Ålandsbanken'],
];

/** The bank of a Finnish account number that is right; undefined of others. */
export function bankOf(typed: string): string | undefined {
  const iban = compactIban(typed);
  if (!iban.startsWith('FI') || ibanFault(iban) !== undefined) return undefined;
  return finnishBanks.find(([first]) => first.test(iban.slice(4)))?.[1];
}
