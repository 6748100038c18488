import { notifications } from '@mantine/notifications';
import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { noPageData } from '../src/api/pageData';
import { aUser } from './builders';
import { installProvider, type ProviderScript } from './cardForm';
import { config } from './checkout';
import { renderAt } from './render';
import { content, refusal, server } from './server';
import { aRecord, id } from './subscription';

/** The fake payment provider of a file's tests, which each begin with a new script. */
export function scriptedProvider(): ProviderScript {
  const provider = installProvider();
  beforeEach(() =>
    Object.assign(provider, {
      isComplete: true,
      results: [],
      confirmed: [],
      returns: [],
      amounts: [],
      formOutcomes: [],
    }),
  );
  // Their numbers begin again with each app, and the library's list is the browser's.
  afterEach(() => notifications.clean());
  return provider;
}

/** Opens the page of the tests' support as its person. */
export async function openSupport(user = aUser()) {
  const app = await renderAt(`/en/subscriptions/${id}/`, { page: { ...noPageData(), config }, user });
  await screen.findByRole('heading', { level: 1, name: 'Kuoro' });
  return app;
}

/** Waits until a press counts again that would be the second one of a double press. */
export const afterDoublePress = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 600)));

/** The id of another support of the same person. */
export const otherId = '01JD0000000000000000000010';

/**
 * Opens the page as the person whose support it is; they also support another campaign, and did a third one. `isListed`: when
 * the list of these is answered.
 */
export function openOwnSupport(isListed = async () => Promise.resolve()) {
  const ended = aRecord({ subscription_id: '01JD0000000000000000000011', status: 'canceled' });
  const subscriptions = [aRecord(), aRecord({ subscription_id: otherId }), ended];
  server.use(
    http.get(content('/users/me/subscriptions/:language/'), async () => {
      await isListed();
      return HttpResponse.json({ subscriptions, total: subscriptions.length });
    }),
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
  );
  return openSupport(aUser());
}
