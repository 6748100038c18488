import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  formatCount,
  formatDate,
  formatDay,
  formatMoney,
  formatMonth,
  formatPastDay,
  formatPercent,
  formatShare,
  formatTime,
  formatWeekday,
  platformDay,
  timeLeftText,
} from './format';
import { formatCardMonth } from './months';

const space = '\u00a0';
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test.each([
  ['fi', '18 420 €', '96,50 €', '1 290 €'],
  ['en', '€18,420', '€96.50', '€1,290'],
  ['sv', '18 420 €', '96,50 €', '1 290 €'],
] as const)('money in %s', (language, whole, withCents, fourDigits) => {
  expect(plain(formatMoney(language, 18_420, { cents: false }))).toBe(whole);
  expect(plain(formatMoney(language, 96.5, { cents: true }))).toBe(withCents);
  expect(plain(formatMoney(language, 1_290, { cents: false }))).toBe(fourDigits);
});

test('an amount has only no-break spaces', () => {
  expect(formatMoney('fi', 18_420, { cents: true })).toBe(`18${space}420,00${space}€`);
  expect(formatMoney('sv', 18_420, { cents: false })).not.toContain(' ');
});

test('without cents amounts are rounded down', () => {
  expect(plain(formatMoney('fi', 23_999.99, { cents: false }))).toBe('23 999 €');
  expect(plain(formatMoney('fi', 1.99, { cents: false }))).toBe('1 €');
  // Below one euro that would be nothing.
  expect(plain(formatMoney('fi', 0.5, { cents: false }))).toBe('0,50 €');
  expect(plain(formatMoney('fi', 0, { cents: false }))).toBe('0 €');
});

test('counts, percentages, days and months follow the language', () => {
  expect(plain(formatCount('fi', 1_200))).toBe('1 200');
  expect(formatCount('en', 1_200)).toBe('1,200');
  expect([formatPercent('fi', 77), formatPercent('en', 77)].map(plain)).toEqual(['77 %', '77%']);
  expect(formatDate('fi', '2026-11-20')).toBe('20.11.2026');
  expect(formatDate('en', '2026-11-20')).toBe('20 Nov 2026');
  expect(formatDate('sv', '2026-11-20')).toBe('20 nov. 2026');
  expect(formatDay('fi', '2026-11-20')).toBe('20.11.');
  expect(formatWeekday('fi', '2026-12-06')).toBe('su 6.12.');
  expect(formatWeekday('en', '2026-12-06')).toBe('Sun 6 Dec');
  expect(formatWeekday('sv', '2026-12-06')).toBe('sön 6 december');
  expect(formatMonth('fi', '2027-06')).toBe('kesäkuu 2027');
  expect(formatMonth('sv', '2027-05/2027-09')).toBe('maj–september 2027');
});

test('a past day has its year unless that is the current year', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  expect(formatPastDay('fi', '2026-10-22', now)).toBe('22.10.');
  expect(formatPastDay('fi', '2025-12-17', now)).toBe('17.12.2025');
  // Already 2026 in Helsinki.
  expect(formatPastDay('en', '2025-12-31T22:30:00Z', now)).toBe('1 Jan');
});

test('a time of day is in Helsinki’s time zone', () => {
  expect(formatTime('fi', '2026-11-20T11:34:00Z')).toBe('13.34');
  expect(formatTime('en', '2026-11-20T11:34:00Z')).toBe('13:34');
});

test('a date is that of Helsinki’s time zone', () => {
  expect(formatDate('fi', '2026-11-20T22:30:00Z')).toBe('21.11.2026');
});

test('the time left is mapped to its text key', () => {
  expect(timeLeftText({ unit: 'hours', count: 31 })).toEqual({ key: 'time.hours', count: 31 });
  expect(timeLeftText({ unit: 'over' })).toEqual({ key: 'time.over', count: 0 });
});

test.each([
  ['fi', '4,7 %', '5 %'],
  ['en', '4.7%', '5%'],
  ['sv', '4,7 %', '5 %'],
] as const)('a share in %s', (language, one, none) => {
  expect(plain(formatShare(language, 0.0468))).toBe(one);
  expect(plain(formatShare(language, 0.0468, 0))).toBe(none);
});

test.each([
  ['fi', '9/2029'],
  ['en', '09/29'],
  ['sv', '09/29'],
] as const)('the month in which a card expires, in %s', (language, text) => {
  expect(formatCardMonth(language, '2029-09')).toBe(text);
});

test('days are those of the server’s time zone, in winter and in summer', () => {
  const zone = readFileSync(
    path.resolve(__dirname, '../../../services/content/internal/zone/zone.go'),
    'utf8',
  );
  const timeZone = /Name = "(.+)"/.exec(zone)?.[1];
  expect(timeZone).toBeDefined();
  for (const month of ['01', '07']) {
    for (let hour = 0; hour < 24; hour++) {
      const time = Date.parse(`2027-${month}-15T${String(hour).padStart(2, '0')}:00:00Z`);
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
      expect(platformDay(time)).toBe(day);
    }
  }
});
