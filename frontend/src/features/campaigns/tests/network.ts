import { http, HttpResponse } from 'msw';
import { content, server } from '../../../../test/server';
import type { Campaign, CampaignPreview, Reward } from '../../../api/content';
import { aBacker, aPost, aReward } from './builders';

export const listOf = (previews: readonly object[], total = previews.length) =>
  HttpResponse.json({ previews, total });

export const failure = (status = 500) =>
  HttpResponse.json(
    { status: status === 404 ? 'not_found' : 'internal_error', message: '', request_id: 'r' },
    { status },
  );

/** Makes an address fail until the gate it gives is opened; then the handlers under it answer. */
export function failing(path: string): { open: () => void } {
  let isOpen = false;
  server.use(http.get(content(path), () => (isOpen ? undefined : failure())));
  return {
    open: () => {
      isOpen = true;
    },
  };
}

/** A campaign's page with what stands below it. */
export function serveCampaign(campaign: Campaign, rewards: readonly Reward[] = [aReward()]): void {
  const at = (rest: string) => content(`/campaigns/${campaign.campaign_id}/${rest}`);
  server.use(
    http.get(at('fi/'), () => HttpResponse.json({ campaign, acl: [] })),
    http.get(at('rewards/fi/'), () => HttpResponse.json({ rewards })),
    http.get(at('posts/preview/'), () => listOf([aPost()])),
    http.get(at('backers/'), () => listOf([aBacker(), aBacker({ name: '', anonymous: true, amount: 10 })])),
  );
}

/** The categories and one campaign list that answers every question. Gives the questions it was asked. */
export function serveList(
  answer: (question: URL) => { previews: readonly CampaignPreview[]; total: number; total_is_more?: boolean },
): URL[] {
  const questions: URL[] = [];
  server.use(
    http.get(content('/campaigns/categories/'), () =>
      HttpResponse.json({
        categories: [
          { id: 1, label: 'Yhteisö' },
          { id: 2, label: 'Kirjat' },
        ],
      }),
    ),
    http.get(content('/campaigns/tags/'), () => HttpResponse.json({ tags: [{ id: 5, label: 'sauna' }] })),
    http.get(/\/content\/(v\d\/)?campaigns\/(mycampaigns\/)?preview\//, ({ request }) => {
      const question = new URL(request.url);
      questions.push(question);
      return HttpResponse.json(answer(question));
    }),
  );
  return questions;
}
