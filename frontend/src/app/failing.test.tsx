import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../test/builders';
import { renderAt } from '../../test/render';
import { server } from '../../test/server';
import { keepPledge } from '../features/pledging/storage';

// Whole pages, one after the other.
jest.setTimeout(30_000);

afterEach(() => window.sessionStorage.clear());

const pledgeId = '01JD0000000000000000000001';

const answers = {
  'without a response': () => HttpResponse.error(),
  'with an error': () =>
    HttpResponse.json({ status: 'unavailable', message: '', request_id: 'r' }, { status: 503 }),
  'with a response that is not JSON': () => new HttpResponse('<html>', { status: 200 }),
};

describe.each(Object.entries(answers))('when every request ends %s', (_, answer) => {
  test.each([
    '/en/',
    '/en/campaigns/',
    '/en/3/hoyry/',
    '/en/3/hoyry/posts/1/',
    '/en/3/hoyry/pledge/',
    '/en/3/hoyry/thanks/',
    '/en/experiments/',
    '/en/experiments/1/hylly/',
  ])('%s shows an error with a retry button, and no skeleton', async (address) => {
    server.use(http.all('*', answer));
    await renderAt(address);
    expect((await screen.findAllByRole('button', { name: 'Try again' }))[0]).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
  });

  test('the return from the payment page says that it is not known what was charged, and asks again', async () => {
    server.use(http.all('*', answer));
    await renderAt(`/en/payment-return/?pledge=${pledgeId}`);
    expect(await screen.findByText('Do not pay again.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Ask now' })).toBeVisible();
  });

  test.each([
    '/en/my-campaigns/',
    '/en/review/',
    '/en/3/hoyry/overview/',
    '/en/3/hoyry/edit/',
    '/en/3/hoyry/review/',
    '/en/3/hoyry/posts/1/edit/',
    '/en/create-campaign/',
    '/en/admin/campaigns/',
    '/en/admin/categories/',
    '/en/admin/tags/',
    '/en/admin/home/',
    `/en/invitation/#token=${'a'.repeat(43)}`,
  ])('%s of somebody signed in shows an error with a retry button, and no skeleton', async (address) => {
    server.use(http.all('*', answer));
    await renderAt(address, { user: aUser({ scope: ['view', 'edit', 'admin'] }) });
    expect((await screen.findAllByRole('button', { name: 'Try again' }))[0]).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
  });

  test('the thanks page of a pledge shows a retry button', async () => {
    server.use(http.all('*', answer));
    keepPledge({ pledgeId, campaignId: 3 });
    await renderAt('/en/3/hoyry/thanks/');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
