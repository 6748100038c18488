import { content, type Campaign } from '../../../api/content';
import { visitorId, visitSource } from '../../../api/visitor';
import { assign } from '../../../domain/assignment';

/** What this visitor sees of a campaign, by campaign: 0 is its own. Worked out before the page is shown. */
const seen = new Map<number, number>();

const visits = content.injectEndpoints({
  endpoints: (build) => ({
    countVisit: build.mutation<undefined, { campaignId: number; visitor: string; source: string }>({
      query: ({ campaignId, ...body }) => ({ url: `/campaigns/${campaignId}/visits/`, method: 'POST', body }),
    }),
  }),
});

/** Works out what this visitor sees, before the page is shown, so that nothing is exchanged under their eyes. */
export async function prepareVariation({
  campaign_id: id,
  content_variations: variations = [],
}: Campaign): Promise<void> {
  const visitor = variations.length > 0 ? visitorId() : undefined;
  const all = variations.map(({ variation }) => variation);
  const own = visitor && (await assign(visitor, id, all));
  if (own) seen.set(id, own);
  else seen.delete(id);
}

/** Counts the visitor; the server does so once. Not a draft's, nor its team's. A failure concerns nobody: it is silent. */
export const countVisit = (campaignId: number) => {
  const visitor = visitorId();
  return visitor && visits.endpoints.countVisit.initiate({ campaignId, visitor, source: visitSource() });
};

/**
 * The campaign as this visitor sees it. While a campaign tries taglines all see one in place of the summary, so that what is
 * compared is in the same place.
 */
export function withVariation(campaign: Campaign): Campaign {
  const [first] = campaign.content_variations ?? [];
  if (!first || (first.language && first.language !== campaign.language)) return campaign;
  const mine = campaign.content_variations?.find(
    ({ variation }) => variation === seen.get(campaign.campaign_id),
  );
  switch (first.field) {
    case 'title':
      return { ...campaign, title: mine?.value ?? campaign.title };
    case 'tagline':
      return { ...campaign, short_description: mine?.value ?? campaign.tagline };
    case 'project_pic':
      return { ...campaign, project_pic: mine?.value ?? campaign.project_pic };
  }
}
