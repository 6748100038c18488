import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../test/builders';
import { serveCampaign } from '../../test/campaigns';
import { renderAt } from '../../test/render';
import { content, refusal, server } from '../../test/server';

// Whole pages, one after the other.
jest.setTimeout(30_000);

const id = '01JD0000000000000000000001';
const token = 'a'.repeat(43);

/** Fails every request that no handler of `served` answers, and leaves all unanswered once `hang` is called. */
function failingNetwork(...served: string[]) {
  let isHanging = false;
  const end: (() => void)[] = [];
  server.use(
    http.all('*', ({ request }) => {
      if (isHanging) return new Promise<Response>((resolve) => end.push(() => resolve(HttpResponse.error())));
      if (served.some((path) => request.url === content(path))) return undefined;
      return refusal('unavailable', 503);
    }),
  );
  return {
    hang: () => {
      isHanging = true;
    },
    end: () => {
      isHanging = false;
      end.forEach((fail) => fail());
    },
  };
}

async function pressAgain(address: string, network: ReturnType<typeof failingNetwork>) {
  const { pointer } = await renderAt(address, { user: aUser({ scope: ['view', 'edit', 'admin'] }) });
  const [again] = await screen.findAllByRole('button', { name: 'Try again' });
  if (!again) throw new Error('no button');
  network.hang();
  await pointer.click(again);
  await waitFor(() => expect(again).not.toBeInTheDocument());
  expect(screen.getAllByRole('status', { name: 'Loading' }).length).toBeGreaterThan(0);
  network.end();
  expect((await screen.findAllByRole('button', { name: 'Try again' })).length).toBeGreaterThan(0);
}

test.each([
  '/en/campaigns/',
  '/en/3/hoyry/',
  '/en/3/hoyry/posts/1/',
  '/en/3/hoyry/pledge/',
  '/en/3/hoyry/thanks/',
  `/en/3/hoyry/pay/#token=${id}.${token}`,
  '/en/3/hoyry/overview/',
  '/en/3/hoyry/edit/',
  '/en/3/hoyry/posts/1/edit/',
  '/en/experiments/',
  '/en/experiments/1/hylly/',
  '/en/experiments/1/hylly/edit/',
  '/en/admin/experiments/',
  '/en/admin/experiments/?rows=all',
  '/en/admin/campaigns/',
  '/en/admin/categories/',
  '/en/admin/tags/',
  '/en/admin/home/',
  '/en/admin/people/',
  '/en/admin/audit/',
  '/en/admin/claims/',
  '/en/admin/money/',
  '/en/review/',
  '/en/my-campaigns/',
  '/en/create-campaign/',
  `/en/invitation/#token=${token}`,
  '/en/profiles/',
  '/en/profile/5/',
  '/en/profile/me/',
  '/en/profile/me/security/',
  '/en/profile/me/pledges/',
  '/en/profile/me/calendar/',
  '/en/profile/me/subscriptions/',
  '/en/profile/me/payouts/',
  `/en/profile/me/payouts/${id}/`,
  '/en/profile/me/claims/',
  `/en/profile/me/claims/${id}/`,
  `/en/subscriptions/${id}/`,
  `/en/support-link/#token=${token}`,
  `/en/support-receipt/#token=${token}`,
  `/en/pledge-link/#token=${token}`,
])(
  '%s shows that it is waited for, and no failure, while what failed is asked for again',
  async (address) => {
    await pressAgain(address, failingNetwork());
  },
);

test.each([
  ['the overview', '/en/3/hoyry/overview/'],
  ['the editor', '/en/3/hoyry/edit/'],
  ['the review', '/en/3/hoyry/review/'],
  ['the pledge over the page', '/en/3/hoyry/#pledge'],
])('%s of a campaign that was read does so, too', async (_, address) => {
  serveCampaign(aCampaign({ acl: ['view', 'edit', 'admin'] }));
  await pressAgain(address, failingNetwork('/campaigns/3/en/'));
});
