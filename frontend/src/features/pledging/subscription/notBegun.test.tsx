import { screen } from '@testing-library/react';
import { http } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import { aRecord, id, serveMonthly } from '../../../../test/subscription';

jest.setTimeout(30_000);

// Its first setup was refused, such as by the spending limit: only the content service has it.
const serve = (status: 'created' | 'expired') => {
  serveMonthly(undefined, aRecord({ status, charges: [] }));
  server.use(
    http.get(payments('/api/subscriptions/:id'), () => refusal('not_found', 404)),
    http.get(payments('/api/subscriptions/:id/payment'), () => refusal('not_found', 404)),
  );
};

test.each([
  ['created', /The first month is not paid yet\./, 'Go on to pay'],
  ['expired', /The support did not begin/, 'Support again'],
] as const)(
  'the page of support that was refused before it began (%s) leads to its form',
  async (status, text, act) => {
    serve(status);
    await renderAt(`/en/subscriptions/${id}/`, { user: aUser() });
    expect(await screen.findByRole('heading', { level: 1, name: 'Kuoro' })).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: act })).toHaveAttribute('href', '/en/3/hoyry/pledge/7');
    expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
  },
);

test.each([
  ['created', 'Go on to pay'],
  ['expired', 'Try again'],
] as const)(
  'the success page of support that was refused before it began (%s) leads to its form',
  async (status, act) => {
    serve(status);
    await renderAt(`/en/${id}/_/subscription-success/`);
    expect(await screen.findByRole('link', { name: act })).toHaveAttribute('href', '/en/3/hoyry/pledge/7');
    expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
  },
);
