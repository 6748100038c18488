import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { useBackerListInfiniteQuery } from '../../../api/lists';
import { campaignStages, isRecurring, takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatCount } from '../../../i18n/format';
import { exactMoney } from '../../../i18n/progressText';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { Picture } from '../../../ui/Picture';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { TextButton } from '../../../ui/TextButton';
import classes from './Backers.module.css';
import { MoreButton } from '../../../ui/MoreButton';

export interface BackersProps {
  campaign: Campaign;
}

/** The list of backers, newest first. Empty if the creator hides it. */
export function Backers({ campaign }: BackersProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isLoading, isError, refetch, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useBackerListInfiniteQuery({
      campaignId: campaign.campaign_id,
    });
  if (campaign.hide_member_count) return null;
  const isMonthly = isRecurring(campaign.stage);
  const mayCome = takesPledges(campaign) || (!campaign.hold && campaign.stage === campaignStages.preparing);
  const backers = data?.pages.flatMap(({ previews }) => previews) ?? [];
  const total = data?.pages.at(-1)?.total ?? 0;
  const isFirst = data?.pages.length === 1 && total > backers.length;

  return (
    <section id="backers" aria-labelledby="backers-title">
      <div className={classes.head}>
        <h2 id="backers-title">{t(isMonthly ? 'campaignPage.supportersTitle' : 'campaignPage.backers')}</h2>
        {isFirst && (
          <TextButton look="aside" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('home.allOf', { total: formatCount(language, total) })}
          </TextButton>
        )}
      </div>
      {isLoading && <LinesSkeleton lines={4} />}
      {isError && !data && <ErrorState onRetry={refetch} />}
      {data && backers.length === 0 && (
        <EmptyState>
          {t(`campaignPage.${isMonthly ? 'noSupporters' : 'noBackers'}${mayCome ? '' : 'Here'}`)}
        </EmptyState>
      )}
      <ul className={classes.list}>
        {backers.map(({ name, anonymous, amount, image }, place) => (
          // Backers have no id. The index is enough as a key, because the entries have no state.
          <li key={place} className={classes.backer}>
            <Picture
              name={image}
              alt=""
              ratio={1}
              widths={[40, 80, 120]}
              sizes="2.5rem"
              shape="round"
              className={classes.avatar}
            />
            <p className={classes.words}>
              <b className={classes.name}>{anonymous ? t('campaignPage.anonymous') : name}</b>
              {amount !== undefined && <span>{exactMoney(language, amount, campaign.currency)}</span>}
            </p>
          </li>
        ))}
      </ul>
      {data && data.pages.length > 1 && (
        <MoreButton
          shown={backers.length}
          total={total}
          isLoading={isFetchingNextPage}
          onMore={() => fetchNextPage()}
        />
      )}
      {isFetchNextPageError && <ErrorState onRetry={() => void fetchNextPage()} />}
    </section>
  );
}
