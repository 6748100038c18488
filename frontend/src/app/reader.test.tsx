import { act, screen, waitFor } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { aCampaign, aPreview, aUser } from '../../test/builders';
import { now } from '../../test/clock';
import { renderAt } from '../../test/render';
import { content, refusal, server } from '../../test/server';
import type { Campaign } from '../api/content';
import { lists } from '../api/lists';
import { own } from '../api/own';
import { recommendations } from '../api/recommendations';
import { signedIn, sessionEnded } from '../api/session';
import { signOut } from '../api/signOut';
import { listOf, serveCampaign } from '../../test/campaigns';

const signIn = (user = aUser()) =>
  signedIn({ token: { string: `of-${user.user_id}`, timestamp: now }, user });

const like = (pressed: boolean) => screen.findByRole('button', { name: 'Tykkää · 148', pressed });

/** Serves the campaign per Authorization header. While `isGated`, responses wait until `open` is called. */
function serveReaders(answers: Record<string, Partial<Campaign> | undefined>) {
  serveCampaign(aCampaign());
  const asked: string[] = [];
  const gates: (() => void)[] = [];
  const served = { asked, isGated: false, open: () => gates.splice(0).forEach((gate) => gate()) };
  server.use(
    http.get(content('/campaigns/3/fi/'), async ({ request }) => {
      const who = request.headers.get('Authorization') ?? 'stranger';
      asked.push(who);
      if (served.isGated) await new Promise<void>((resolve) => gates.push(resolve));
      const changes = answers[who];
      if (!changes) return refusal('not_found', 404);
      const campaign = aCampaign({ acl: ['view'], ...changes });
      return HttpResponse.json({ campaign, acl: campaign.acl });
    }),
  );
  return served;
}

const liked: Partial<Campaign> = { my_relationships: ['like'] };

test('signing in refetches what depends on the reader, and the page stays meanwhile', async () => {
  const served = serveReaders({ stranger: {}, 'Bearer of-7': liked });
  let lists = 0;
  server.use(http.get(content('/campaigns/3/backers/'), () => ((lists += 1), undefined)));
  const { store } = await renderAt('/3/hoyry/');
  await like(false);
  await waitFor(() => expect(lists).toBe(1));
  served.isGated = true;
  act(() => void store.dispatch(signIn()));
  await waitFor(() => expect(served.asked).toEqual(['stranger', 'Bearer of-7']));
  expect(screen.getByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' })).toBeVisible();
  served.open();
  await like(true);
  // The list of backers is the same for everybody and is not refetched.
  expect(lists).toBe(1);
});

test('signing out removes the reader’s own data from the page at once, and the page stays', async () => {
  const served = serveReaders({ stranger: {}, 'Bearer of-7': liked });
  const { store } = await renderAt('/3/hoyry/');
  act(() => void store.dispatch(signIn()));
  await like(true);
  served.isGated = true;
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(screen.getByRole('button', { name: 'Tykkää · 148', pressed: false })).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' })).toBeVisible();
  await waitFor(() => expect(served.asked.at(-1)).toBe('stranger'));
  served.open();
  await like(false);
});

test('a response to a request of one reader is not shown to the next', async () => {
  const served = serveReaders({ stranger: {}, 'Bearer of-7': liked, 'Bearer of-8': {} });
  const { store } = await renderAt('/3/hoyry/');
  await like(false);
  served.isGated = true;
  act(() => void store.dispatch(signIn()));
  await waitFor(() => expect(served.asked).toContain('Bearer of-7'));
  act(() => void store.dispatch(sessionEnded('signedOut')));
  act(() => void store.dispatch(signIn(aUser({ user_id: 8 }))));
  served.open();
  await waitFor(() => expect(served.asked.at(-1)).toBe('Bearer of-8'));
  await like(false);
  served.open();
  await like(false);
});

test('a draft is no longer shown after its editor has signed out', async () => {
  serveReaders({ 'Bearer of-7': { stage: 0, acl: ['view', 'edit'] } });
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { store, router } = await renderAt('/tietoa/');
  act(() => void store.dispatch(signIn()));
  await act(() => router.navigate('/3/hoyry/'));
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Höyry – kylän yhteinen saunalautta' }),
  ).toBeVisible();
  act(() => void store.dispatch(sessionEnded('signedOut')));
  await waitFor(() => expect(screen.queryByText('Höyry – kylän yhteinen saunalautta')).toBeNull());
  warn.mockRestore();
});

test('what is suggested to a reader, with what they have backed, is not there for the next', async () => {
  const { store, router } = await renderAt('/tietoa/');
  act(() => void store.dispatch(signIn()));
  const arg = { language: 'fi' } as const;
  server.use(
    http.get(content('/users/me/recommendations/fi/'), () => HttpResponse.json({ suggestions: [] })),
  );
  await act(() => store.dispatch(recommendations.endpoints.myRecommendations.initiate(arg)));
  const kept = () =>
    Object.values(store.getState().content.queries).find((one) => one?.endpointName === 'myRecommendations');
  expect(kept()).toBeDefined();
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(kept()).toBeUndefined();
  await waitFor(() => expect(router.state.navigation.state).toBe('idle'));
});

test('signing out waits at most three seconds for a server that does not answer', async () => {
  const { store } = await renderAt('/tietoa/');
  act(() => void store.dispatch(signIn()));
  server.use(http.delete(content('/users/tokens/'), () => delay('infinite')));
  await act(() => store.dispatch(signOut()));
  expect(store.getState().session.user).toBeNull();
});

test('what is being read when somebody signs out is answered before their session is over', async () => {
  const { store } = await renderAt('/tietoa/');
  act(() => void store.dispatch(signIn()));
  const asked: string[] = [];
  server.use(
    http.get(content('/users/me/menu/'), async () => {
      await delay(20);
      asked.push('menu');
      return HttpResponse.json({ waiting: 0 });
    }),
    http.delete(content('/users/tokens/'), () => {
      asked.push('end');
      return HttpResponse.json({});
    }),
  );
  await act(async () => {
    void store.dispatch(own.endpoints.ownMenu.initiate(undefined, { forceRefetch: true }));
    await store.dispatch(signOut());
  });
  expect(asked).toEqual(['menu', 'end']);
});

test('signing out removes the reader’s own lists from the cache', async () => {
  const { store, router } = await renderAt('/tietoa/');
  act(() => void store.dispatch(signIn()));
  const arg = { language: 'fi', list: 'mine' } as const;
  server.use(http.get(content('/campaigns/mycampaigns/preview/fi/'), () => listOf([aPreview()])));
  await act(() => store.dispatch(lists.endpoints.campaignList.initiate(arg)));
  const kept = () => lists.endpoints.campaignList.select(arg)(store.getState()).data?.pages;
  expect(kept()).toHaveLength(1);
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(kept()).toBeUndefined();
  // The address is not found, and such a page is loaded again when the user changes: wait for that.
  await waitFor(() => expect(router.state.navigation.state).toBe('idle'));
});
