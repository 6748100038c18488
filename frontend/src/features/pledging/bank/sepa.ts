/** The lengths of account numbers (IBAN) by their first two letters. */
export const ibanLengths: Readonly<Record<string, number | undefined>> = Object.fromEntries(
  (
    'AD24 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 ' +
    'LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24 SM27 VA22'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

/**
 * The countries whose accounts can be debited, by ISO 3166-1 alpha-2 code. Account numbers of the Crown Dependencies begin
 * with GB.
 */
export const sepaCountries: readonly string[] = [...Object.keys(ibanLengths), 'GG', 'IM', 'JE'];
