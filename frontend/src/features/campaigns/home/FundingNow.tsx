import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatCount } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { CardsSkeleton } from '../../../ui/Skeletons';
import { CampaignCard } from '../CampaignCard';
import grid from '../grid.module.css';
import type { ListQuery } from './calls';
import { SectionHead } from './SectionHead';

export interface FundingNowProps {
  /** Without those that are already shown higher up on the page. */
  campaigns: readonly CampaignPreview[];
  /** The number of open campaigns. */
  total: number;
  /** The service stopped counting at `total`: there may be more. */
  isMore: boolean;
  list: ListQuery<unknown>;
}

/** The section of open campaigns, with a link to all of them. */
export function FundingNow({ campaigns, total, isMore, list }: FundingNowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <section aria-labelledby="funding" className="tk-container tk-section">
      <SectionHead
        id="funding"
        title={t('home.funding')}
        to={total > 0 ? paths.campaigns(language) : undefined}
      >
        {isMore
          ? t('home.allOver', { total: formatCount(language, total - 1) })
          : t('home.allOf', { total: formatCount(language, total) })}
      </SectionHead>
      {list.isLoading && <CardsSkeleton count={6} className={grid.cards} />}
      {list.isError && !list.data && <ErrorState onRetry={list.refetch} />}
      {list.data !== undefined && campaigns.length === 0 && <EmptyState>{t('home.empty')}</EmptyState>}
      {campaigns.length > 0 && (
        <ul className={grid.cards}>
          {campaigns.map((campaign) => (
            <li key={campaign.campaign_id}>
              <CampaignCard campaign={campaign} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
