import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { usePostListInfiniteQuery } from '../../../api/lists';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatPastDay } from '../../../i18n/format';
import { CardTitle } from '../../../ui/CardTitle';
import { Chip } from '../../../ui/Chip';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { LockIcon } from '../../../ui/icons';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { namedOf } from '../named';
import { MoreButton } from '../../../ui/MoreButton';
import { useNow } from '../../../ui/useNow';
import { usePostName } from '../../../ui/usePostName';
import classes from './Updates.module.css';

export interface UpdatesProps {
  campaign: Campaign;
}

/** The campaign's updates, newest first; for its team their drafts come before, each with what it is. */
export function Updates({ campaign }: UpdatesProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isLoading, isError, refetch, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    usePostListInfiniteQuery({
      campaignId: campaign.campaign_id,
      language,
    });
  const now = useNow();
  const nameOf = usePostName();
  const posts = data?.pages.flatMap(({ previews }) => previews) ?? [];
  const total = data?.pages.at(-1)?.total ?? 0;

  return (
    <section id="updates" aria-labelledby="updates-title" className={classes.root}>
      <h2 id="updates-title">{t('campaignPage.updates')}</h2>
      {isLoading && <LinesSkeleton lines={4} />}
      {isError && !data && <ErrorState onRetry={refetch} />}
      {data && posts.length === 0 && <EmptyState>{t('campaignPage.noUpdates')}</EmptyState>}
      <ul className={classes.list}>
        {posts.map((post) => (
          <li key={post.id} className={classes.row}>
            {post.status === 'draft' ? (
              <div>
                <Chip>{t(post.published_at ? 'campaignPage.takenBack' : 'stage.draft')}</Chip>
              </div>
            ) : (
              post.published_at && (
                <time dateTime={post.published_at} className={classes.day}>
                  {formatPastDay(language, post.published_at, now)}
                </time>
              )
            )}
            <div>
              <CardTitle
                to={(post.status === 'draft' ? paths.editPost : paths.post)(
                  language,
                  namedOf(campaign),
                  post.id,
                )}
                lang={foreignLang(post.language, language)}
                className={classes.title}
              >
                {nameOf(post)}
              </CardTitle>
              {nameOf(post) !== post.intro && (
                <p className={classes.intro} lang={foreignLang(post.language, language)}>
                  {post.intro}
                </p>
              )}
              {post.restricted && (
                <p className={classes.locked}>
                  <LockIcon size={16} />
                  {t('campaignPage.backersOnly')}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {total > posts.length && (
        <MoreButton
          shown={posts.length}
          total={total}
          isLoading={isFetchingNextPage}
          onMore={() => fetchNextPage()}
        />
      )}
      {isFetchNextPageError && <ErrorState onRetry={() => void fetchNextPage()} />}
    </section>
  );
}
