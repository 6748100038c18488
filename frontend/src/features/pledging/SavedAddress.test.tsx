import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { installProvider } from '../../../test/cardForm';
import { open, payButton, serve } from '../../../test/checkout';
import { aUser } from '../../../test/builders';
import { content, server, untilQuiet } from '../../../test/server';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

beforeAll(() => void installProvider());
afterEach(() => window.sessionStorage.clear());

const address = {
  address_street: 'Gatan 1',
  address_postcode: '111 22',
  address_city: 'Stockholm',
  address_country: 'SE',
  address_phone: '+46701234567',
};
const offer = { name: 'Käytä viime tilauksesi osoitetta' };

/** Serves the saved address and counts the requests. */
function serveAddress(answer: object) {
  const seen = { calls: 0 };
  server.use(
    http.get(content('/users/me/address/'), () => {
      seen.calls += 1;
      return HttpResponse.json(answer);
    }),
  );
  return seen;
}

async function openWithPost(options?: Parameters<typeof open>[1]) {
  const app = await open('/3/hoyry/pledge/5', options);
  await app.pointer.click(screen.getByRole('radio', { name: /Avainkortti/ }));
  return app;
}

test('the address of the last order is offered, and filled in only on request', async () => {
  const sent = serve();
  serveAddress({ address });
  const { pointer } = await openWithPost({ user: aUser() });
  const button = await screen.findByRole('button', offer);
  expect(button).toHaveAccessibleDescription('Gatan 1, 111 22 Stockholm, Ruotsi');
  expect(screen.getByLabelText('Katuosoite')).toHaveValue('');

  await pointer.click(payButton());
  expect(screen.getByLabelText('Katuosoite')).toBeInvalid();
  await pointer.click(button);
  expect(screen.getByLabelText('Katuosoite')).toHaveValue('Gatan 1');
  expect(screen.getByLabelText('Katuosoite')).toBeValid();
  expect(screen.getByText('Osoite on täytetty')).toHaveAttribute('role', 'status');
  await pointer.click(payButton());
  await screen.findByText('TK-2026-004183');
  expect(sent.pledges[0]?.body.pledge_meta).toMatchObject(address);
});

test('without a session no saved address is requested or offered', async () => {
  serve();
  const seen = serveAddress({ address });
  await openWithPost();
  expect(screen.getByLabelText('Katuosoite')).toBeVisible();
  expect(screen.queryByRole('button', offer)).toBeNull();
  expect(seen.calls).toBe(0);
});

test('without a saved address nothing is offered', async () => {
  serve();
  const seen = serveAddress({});
  await openWithPost({ user: aUser() });
  await screen.findByLabelText('Katuosoite');
  await act(untilQuiet);
  expect(seen.calls).toBe(1);
  expect(screen.queryByRole('button', offer)).toBeNull();
});
