import { pasted } from '../../../../domain/pasted';

/** A number as its register has it: the server reads it the same way, and looks at more (package taxdata). */
const compact = (typed: string) =>
  typed
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** Whether a Finnish personal identity code has its check sign. */
function isHenkilotunnus(typed: string): boolean {
  const [, date = '', rest = '', sign] =
    /^(\d{6})[-+A-FU-Y](\d{3})([0-9A-Y])$/.exec(
      pasted(typed.normalize('NFKC')).replace(/\s/g, '').toUpperCase(),
    ) ?? [];
  return sign !== undefined && '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + rest) % 31] === sign;
}

/** Whether a Finnish business id has its check digit. */
function isBusinessId(digits: string): boolean {
  if (!/^\d{7,8}$/.test(digits)) return false;
  const whole = digits.padStart(8, '0');
  const sum = [7, 9, 10, 5, 8, 4, 2].reduce((all, weight, i) => all + weight * Number(whole[i]), 0);
  return (11 - (sum % 11)) % 11 === Number(whole[7]);
}

/** Whether a number may be an association's or a foundation's in its Finnish register, such as 123.456. */
export const isRegisterNumber = (typed: string): boolean => /^0*[1-9]\d{0,5}$/.test(compact(typed));

/** Whether the last digit is the check digit of those before it. */
function isLuhn(digits: string): boolean {
  const sum = Array.from(digits).reduceRight((all, digit, i) => {
    const weighed = Number(digit) * ((digits.length - i) % 2 === 0 ? 2 : 1);
    return all + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a number may be a tax number of the country; of others than Finland and Sweden its length is asked. */
export function isTaxNumber(country: string, isPerson: boolean, typed: string): boolean {
  const number = compact(typed);
  if (country === 'FI') return isPerson ? isHenkilotunnus(typed) : isBusinessId(number);
  if (country === 'SE') {
    return (isPerson ? /^(\d{2})?\d{10}$/ : /^(16)?\d{10}$/).test(number) && isLuhn(number.slice(-10));
  }
  return /^[0-9A-Z]{4,20}$/.test(number);
}

/** Whether a number may be a VAT number. */
export function isVatNumber(typed: string): boolean {
  const number = compact(typed);
  if (!/^[A-Z]{2}[0-9A-Z]{2,18}$/.test(number)) return false;
  const rest = number.slice(2);
  if (number.startsWith('FI')) return rest.length === 8 && isBusinessId(rest);
  if (number.startsWith('SE')) return /^\d{12}$/.test(rest) && isLuhn(rest.slice(0, 10));
  return true;
}
