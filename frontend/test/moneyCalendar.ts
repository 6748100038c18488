import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { CalendarSupport, MoneyCalendarAnswer } from '../src/api/subscriptions';
import { aUser } from './builders';
import { renderAt } from './render';
import { content, server } from './server';
import { aRecord } from './subscription';

const { campaign } = aRecord();
/** A support of 7 € a month, and of 15 € from January on. */
export const choir: CalendarSupport = {
  subscription_id: '01JD0000000000000000000001',
  status: 'active',
  currency: 'EUR',
  payment_method: 'Visa ···· 4242',
  is_in_limit: true,
  campaign: { ...campaign, campaign_id: 1, title: 'Kuoro' },
  charges: [
    { period: 1, day: '2026-10-20', amount: 7, state: 'charged' },
    { period: 2, day: '2026-11-20', amount: 7, state: 'charged' },
    { period: 3, day: '2026-12-20', amount: 7, state: 'coming' },
    { period: 4, day: '2027-01-20', amount: 15, state: 'coming' },
  ],
};
/** A support of 6,50 € a month whose November did not go through. */
export const magazine: CalendarSupport = {
  ...choir,
  subscription_id: '01JD0000000000000000000002',
  campaign: { ...campaign, campaign_id: 2, title: 'Siikalehti' },
  charges: [
    { period: 1, day: '2026-11-06', amount: 6.5, state: 'waiting' },
    { period: 2, day: '2026-12-06', amount: 6.5, state: 'coming' },
  ],
};
/** The same, while its November is tried again in December. */
export const tried: CalendarSupport = { ...magazine, next_try_on: '2026-12-02' };
/** A support in another currency. */
export const inCrowns: CalendarSupport = {
  ...choir,
  subscription_id: '01JD0000000000000000000003',
  currency: 'SEK',
  campaign: { ...campaign, campaign_id: 3, title: 'Stuga' },
  charges: [{ period: 1, day: '2026-12-28', amount: 100, state: 'coming' }],
};

/** A support whose pause ends in January, and that would take 17 € then. */
export const paused: CalendarSupport = {
  ...choir,
  subscription_id: '01JD0000000000000000000004',
  status: 'paused',
  campaign: { ...campaign, title: 'Kurkipelto' },
  charges: [
    { period: 5, day: '2027-01-03', amount: 17, state: 'coming' },
    { period: 6, day: '2027-02-03', amount: 17, state: 'coming' },
  ],
};

/** A support whose December waits for an answer. */
export const withHeld: CalendarSupport = {
  ...choir,
  charges: [
    { period: 3, day: '2026-12-20', amount: 7, state: 'held' },
    { period: 4, day: '2027-01-20', amount: 7, state: 'coming' },
  ],
};

/** Opens the calendar with some supports, on 21 November 2026. */
export async function openCalendar(supports: CalendarSupport[], feed?: string) {
  const calendar: MoneyCalendarAnswer = { today: '2026-11-21', supports, feed_url: feed };
  server.use(
    http.get(content('/users/me/money-calendar/en/'), () => HttpResponse.json(calendar)),
    http.put(content('/users/me/calendar-feed/'), () => {
      calendar.feed_url = `https://talkoot.test/content/users/calendars/${calendar.feed_url ? 'new' : 'first'}/`;
      return HttpResponse.json({ feed_url: calendar.feed_url });
    }),
    http.delete(content('/users/me/calendar-feed/'), () => {
      calendar.feed_url = undefined;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const app = await renderAt('/en/profile/me/calendar/', { user: aUser() });
  await screen.findByRole('heading', { level: 1, name: 'Money calendar' });
  return app;
}
