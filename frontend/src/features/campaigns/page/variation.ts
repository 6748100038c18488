import { content, type Campaign } from '../../../api/content';
import { visitorId, visitSource } from '../../../api/visitor';
import { assign } from '../../../domain/assignment';

/** The variation assigned to this visitor, by campaign id. No entry: the original content. */
const assigned = new Map<number, number>();

const visits = content.injectEndpoints({
  endpoints: (build) => ({
    countVisit: build.mutation<undefined, { campaignId: number; visitor: string; source: string }>({
      query: ({ campaignId, ...body }) => ({ url: `/campaigns/${campaignId}/visits/`, method: 'POST', body }),
    }),
  }),
});

/** Assigns a variation to this visitor. Await it before the page is shown, so that the content does not change. */
export async function prepareVariation({
  campaign_id: id,
  content_variations: variations = [],
}: Campaign): Promise<void> {
  const visitor = variations.length > 0 ? visitorId() : undefined;
  const all = variations.map(({ variation }) => variation);
  const variation = visitor && (await assign(visitor, id, all));
  if (variation) assigned.set(id, variation);
  else assigned.delete(id);
}

/**
 * The action that counts a visit; the server counts each visitor once. Undefined for a visitor without an id, who does
 * not want to be counted. A failure is ignored.
 */
export const countVisit = (campaignId: number) => {
  const visitor = visitorId();
  return visitor && visits.endpoints.countVisit.initiate({ campaignId, visitor, source: visitSource() });
};

/** Whether the page shows the tagline: only while the campaign tests taglines, and then to every visitor. */
export const showsTagline = ({ content_variations: variations, language }: Campaign): boolean =>
  variations?.[0]?.field === 'tagline' && (!variations[0].language || variations[0].language === language);

/** The campaign as this visitor sees it. */
export function withVariation(campaign: Campaign): Campaign {
  const [first] = campaign.content_variations ?? [];
  if (!first || (first.language && first.language !== campaign.language)) return campaign;
  const mine = campaign.content_variations?.find(
    ({ variation }) => variation === assigned.get(campaign.campaign_id),
  );
  switch (first.field) {
    case 'title':
      return { ...campaign, title: mine?.value ?? campaign.title };
    case 'tagline':
      return { ...campaign, tagline: mine?.value ?? campaign.tagline };
    case 'project_pic':
      // The alternative text describes the original cover, not the variation.
      return mine ? { ...campaign, project_pic: mine.value, project_pic_alt: '' } : campaign;
  }
}
