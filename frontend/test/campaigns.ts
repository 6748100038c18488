import { http, HttpResponse } from 'msw';
import { content, refusal, server } from './server';
import type { Campaign, CampaignPreview, Reward } from '../src/api/content';
import { aBacker, aPostPreview, aReward } from './builders';

/** The response of a list; `total` counts the entries that are not in it, too. */
export const listOf = (previews: readonly object[], total = previews.length) =>
  HttpResponse.json({ previews, total });

/** Makes requests to a path fail until `open` is called; then the handlers registered earlier respond. */
export function failing(path: string): { open: () => void } {
  let isOpen = false;
  server.use(http.get(content(path), () => (isOpen ? undefined : refusal('internal_error', 500))));
  return {
    open: () => {
      isOpen = true;
    },
  };
}

/** Serves a campaign with its rewards, updates and backers. */
export function serveCampaign(campaign: Campaign, rewards: readonly Reward[] = [aReward()]): void {
  const at = (rest: string) => content(`/campaigns/${campaign.campaign_id}/${rest}`);
  server.use(
    ...['fi', 'en'].flatMap((language) => [
      http.get(at(`${language}/`), () => HttpResponse.json({ campaign, acl: [] })),
      http.get(at(`rewards/${language}/`), () => HttpResponse.json({ rewards })),
    ]),
    http.get(at('posts/preview/'), () => listOf([aPostPreview()])),
    http.get(at('backers/'), () => listOf([aBacker(), aBacker({ name: '', anonymous: true, amount: 10 })])),
  );
}

/** Serves categories, tags and all campaign lists. Returns the URLs of the list requests; `counted` gets the addresses of the others. */
export function serveList(
  answer: (url: URL) => { previews: readonly CampaignPreview[]; total: number; total_is_more?: boolean },
  counted: string[] = [],
): URL[] {
  const requests: URL[] = [];
  server.use(
    http.get(content('/campaigns/categories/'), ({ request }) => {
      counted.push(request.url.slice(new URL(request.url).origin.length));
      return HttpResponse.json({
        categories: [
          { id: 1, label: 'Yhteisö', campaigns: 12 },
          { id: 2, label: 'Kirjat', campaigns: 4 },
        ],
      });
    }),
    http.get(content('/campaigns/tags/'), ({ request }) => {
      counted.push(request.url.slice(new URL(request.url).origin.length));
      return HttpResponse.json({ tags: [{ id: 5, label: 'sauna', campaigns: 2 }] });
    }),
    http.get(/\/content\/(v\d\/)?campaigns\/(mycampaigns\/)?preview\//, ({ request }) => {
      const url = new URL(request.url);
      requests.push(url);
      return HttpResponse.json(answer(url));
    }),
  );
  return requests;
}
