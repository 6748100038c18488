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

/** Whether the page has its tagline above the summary: only while a campaign tries taglines, and then for everybody. */
export const showsTagline = ({ content_variations: variations, language }: Campaign): boolean =>
  variations?.[0]?.field === 'tagline' && (!variations[0].language || variations[0].language === language);

/** The campaign as this visitor sees it. */
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
      return { ...campaign, tagline: mine?.value ?? campaign.tagline };
    case 'project_pic':
      // The description is that of the campaign's own cover.
      return mine ? { ...campaign, project_pic: mine.value, project_pic_alt: '' } : campaign;
  }
}
