import { daysLeft } from './days';

// Sent on 22 November at 18.20; the end of the 29th is the last moment.
const clock = (now: string) => daysLeft('2026-11-22T16:20:00Z', '2026-11-29T22:00:00Z', Date.parse(now));

test.each([
  ['2026-11-22T16:20:00Z', 7],
  ['2026-11-24T10:00:00Z', 5],
  ['2026-11-29T10:00:00Z', 0],
  ['2026-12-02T10:00:00Z', 0],
  ['2026-11-20T10:00:00Z', 7],
])('at %s %d of seven days are left', (now, left) => expect(clock(now)).toEqual({ left, total: 7 }));
