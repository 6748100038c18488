import type { NewPayoutBank, PayoutBankField } from '../../../api/payees';
import { homeCountry } from '../../../domain/countries';
import { compactIban, payoutIbanFault } from '../../../domain/iban';
import { all, maxLength, postcodeOf, required } from '../../../domain/rules';
import type { Faults } from '../../../ui/useAppForm';

/** The values of the form, with the names of the contract. */
export interface BankValues {
  IBAN: string;
  first_name: string;
  last_name: string;
  business_name: string;
  AddressLine1: string;
  AddressLine2: string;
  PostalCode: string;
  City: string;
  Region: string;
  /** ISO 3166-1 alpha-2 */
  Country: string;
}

/** What the form begins with. */
export const newBank = (name: Pick<BankValues, 'first_name' | 'last_name'>): BankValues => ({
  IBAN: '',
  first_name: name.first_name,
  last_name: name.last_name,
  business_name: '',
  AddressLine1: '',
  AddressLine2: '',
  PostalCode: '',
  City: '',
  Region: '',
  Country: homeCountry,
});

/** A field that the payment provider may ask for, in the order of the form. */
export type AskedField = PayoutBankField['name'];

/** What is asked for before the provider has said what it needs: what it does in most countries. */
export const usualFields = (isPerson: boolean): readonly PayoutBankField[] =>
  (
    [
      ...(isPerson ? (['first_name', 'last_name'] as const) : (['business_name'] as const)),
      'AddressLine1',
      'PostalCode',
      'City',
    ] as const
  ).map((name) => ({ name, is_required: true }));

/** The country of an account number that is right; undefined of others. */
export const countryOf = (typed: string): string | undefined =>
  typed !== '' && payoutIbanFault(typed) === undefined ? compactIban(typed).slice(0, 2) : undefined;

/** What is wrong with the values, by field. */
export function bankFaults(values: BankValues, asked: readonly PayoutBankField[]): Faults {
  const fault = payoutIbanFault(values.IBAN);
  const faults: Record<string, Faults[string]> = {
    IBAN: required(values.IBAN, values) ?? (fault && { key: fault }),
  };
  for (const { name, is_required: isNeeded, max_length: max } of asked) {
    const rules = [isNeeded ? required : undefined, maxLength(max ?? 255)].filter(
      (rule) => rule !== undefined,
    );
    faults[name] = all<string, unknown>(...rules)(values[name], values);
  }
  faults.PostalCode ??= postcodeOf(values.Country)(values.PostalCode, values);
  return faults;
}

/** The order of a bank account: what is not asked for is left out. */
export function bankOrder(
  values: BankValues,
  asked: readonly PayoutBankField[],
  returnUrl: string,
): NewPayoutBank {
  const said = (name: AskedField) =>
    asked.some((field) => field.name === name) && values[name].trim() !== ''
      ? values[name].trim()
      : undefined;
  return {
    IBAN: compactIban(values.IBAN),
    first_name: said('first_name'),
    last_name: said('last_name'),
    business_name: said('business_name'),
    address: {
      AddressLine1: values.AddressLine1.trim(),
      AddressLine2: said('AddressLine2'),
      PostalCode: said('PostalCode'),
      City: values.City.trim(),
      Region: said('Region'),
      Country: values.Country,
    },
    return_url: returnUrl,
  };
}
