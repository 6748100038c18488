import type { CampaignPreview } from '../../api/content';
import type { Named } from '../../domain/paths';

/** The parts of a campaign's path. */
export function namedOf({
  campaign_id,
  slug,
  title,
}: Pick<CampaignPreview, 'campaign_id' | 'slug' | 'title'>): Named {
  return { id: campaign_id, slug, title };
}
