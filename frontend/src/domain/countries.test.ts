import { countries, isPostcodeNumber, needsPostcode, postcodeForm } from './countries';

test.each([
  ['FI', '33100', true],
  ['FI', '3310', false],
  ['FI', '111 22', false],
  ['SE', '111 22', true],
  ['SE', '11122', true],
  ['SE', 'SE-111 22', true],
  ['SE', '1112', false],
  ['NO', '0150', true],
  ['NO', '00150', false],
  ['DK', 'DK-1050', true],
  ['EE', '10111', true],
  ['LV', '1010', true],
  ['NL', '1012 ab', true],
  ['NL', '1012', false],
  ['GB', 'SW1A 1AA', true],
  ['GB', '33100', false],
  ['US', '10001-1234', true],
])('in %s, %s is a postcode: %s', (country, typed, isOne) => {
  expect(postcodeForm(country)?.pattern.test(typed)).toBe(isOne);
});

test('every example matches its country’s format, and no country is listed twice', () => {
  for (const country of countries) {
    const form = postcodeForm(country);
    if (form) expect(form.example).toMatch(form.pattern);
  }
  expect(new Set(countries).size).toBe(countries.length);
  expect(countries).toContain('FI');
});

test('a numeric keypad is enough only for postcodes without letters', () => {
  expect(isPostcodeNumber('FI')).toBe(true);
  expect(isPostcodeNumber('GB')).toBe(false);
  expect(isPostcodeNumber('JP')).toBe(false);
});

test('a country without postcodes is one of the countries, and has no form of them', () => {
  const without = countries.filter((country) => !needsPostcode(country));
  expect(without).toHaveLength(81);
  expect(without.filter((country) => postcodeForm(country) !== undefined)).toEqual([]);
});
