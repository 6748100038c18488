import { useCampaignsInReviewQuery } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount } from '../../i18n/format';
import { Chip } from '../../ui/Chip';

/** How many campaigns wait for a review; nothing for none. */
export default function ReviewCount() {
  const language = useLanguage();
  const { data } = useCampaignsInReviewQuery({ language, limit: 1 });
  if (!data?.total) return null;
  return <Chip tone="cloud">{formatCount(language, data.total)}</Chip>;
}
