import sepa from './sepa.generated.json';

/** The lengths of account numbers (IBAN) by their first two letters. */
export const ibanLengths: Readonly<Record<string, number | undefined>> = sepa.iban_lengths;

/**
 * The countries of bank transfers, by ISO 3166-1 alpha-2 code. Account numbers of the Crown Dependencies begin with GB.
 */
export const sepaCountries: readonly string[] = sepa.countries;
