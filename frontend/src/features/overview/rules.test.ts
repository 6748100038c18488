import type { ContentExperiment, ContentVariation, OverviewDay } from '../../api/editing';
import { axisOf, barsOf, concludePace, daysBetween, sourceName, verdictOf } from './rules';

test.each([
  [734, 'justEnough'],
  [723, 'justEnough'],
  [832, 'enough'],
  [722, 'tooSlow'],
  [0, 'quiet'],
])('with 723 a day needed, %s a day last week is %s', (recent_a_day, conclusion) => {
  const pace = { missing: 4_340, days_left: 6, needed_a_day: 723, recent_a_day, recent_days: 7 };
  expect(concludePace(pace)).toBe(conclusion);
});

const variation = (letter: string, best?: number): ContentVariation => ({
  variation: letter === 'A' ? 0 : 7,
  letter,
  value: letter,
  visitors: 2_000,
  paid: 100,
  best,
});
const experiment = (overrides: Partial<ContentExperiment>): ContentExperiment => ({
  field: 'tagline',
  started_at: '2026-10-28T10:00:00Z',
  variations: [],
  visitors: 4_000,
  paid: 200,
  missing: 0,
  conclusive: false,
  ...overrides,
});

test.each<[string, Partial<ContentExperiment>, object]>([
  [
    'under 100 payments',
    { missing: 12, variations: [variation('A'), variation('B')] },
    { kind: 'tooEarly', missing: 12 },
  ],
  [
    'below 95 %',
    { variations: [variation('A', 0.053), variation('B', 0.947)] },
    { kind: 'leaning', letter: 'B', percent: 94 },
  ],
  [
    'from 95 % on',
    { conclusive: true, variations: [variation('A', 0.03), variation('B', 0.97)] },
    { kind: 'clear', letter: 'B', percent: 97 },
  ],
  [
    "when the campaign's original is better",
    { conclusive: true, variations: [variation('A', 0.999), variation('B', 0.001)] },
    { kind: 'clear', letter: 'A', percent: 99 },
  ],
])('the verdict %s', (_, overrides, verdict) => {
  expect(verdictOf(experiment(overrides))).toEqual(verdict);
});

const day = (date: string, amount: number, settling = 0): OverviewDay => ({
  day: date,
  amount,
  settling,
  backers: 1,
});

test('the last cumulative bar is the sum of all days', () => {
  const days = [day('2026-11-01', 20), day('2026-11-02', 0, 5), day('2026-11-03', 30)];
  expect(barsOf(days, 'day')).toEqual(days);
  expect(barsOf(days, 'total').at(-1)).toEqual({ day: '2026-11-03', amount: 50, settling: 5, backers: 3 });
});

test.each([
  [0, 3],
  [3, 3],
  [1_275, 1_500],
  [1_600, 1_800],
  [20_000, 24_000],
])('an axis for %s begins at zero and ends at %s', (most, end) => {
  const axis = axisOf(most);
  expect([axis[0], axis.at(-1)]).toEqual([0, end]);
});

test('a change to or from daylight saving time does not change the number of days', () => {
  expect(daysBetween('2026-10-24', '2026-10-26')).toBe(2);
});

test.each([
  ['', { key: 'unknown' }],
  ['letter', { key: 'letter' }],
  ['social:facebook', { key: 'name', name: 'Facebook' }],
  ['social:tiktok', { key: 'name', name: 'TikTok' }],
  ['search:google', { key: 'search', name: 'Google' }],
  ['search:ecosia', { key: 'search', name: 'Ecosia' }],
  ['site:pielavedensanomat.fi', { key: 'name', name: 'pielavedensanomat.fi' }],
])('the name of the source %p is %p', (source, name) => {
  expect(sourceName(source)).toEqual(name);
});
