import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { content, useCampaignPostQuery, useCampaignQuery } from '../../api/content';
import { useErrorText } from '../../i18n/errorText';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatDate } from '../../i18n/format';
import { ErrorState } from '../../ui/ErrorState';
import { ArrowLeftIcon, LockIcon } from '../../ui/icons';
import { idParam, notFound, type PageLoaderArgs } from '../../ui/page';
import { LinesSkeleton } from '../../ui/Skeletons';
import { Story } from '../../ui/Story';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './PostPage.module.css';

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  const { campaign, campaignPost } = content.endpoints;
  void dispatch(campaign.initiate({ campaignId, language }, { subscribe: false }));
  const { error } = await dispatch(
    campaignPost.initiate({ campaignId, postId: idParam(params.postId), language }, { subscribe: false }),
  );
  if (isApiError(error) && error.http === 404) throw notFound();
}

/** An update of a campaign. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const params = useParams();
  const campaignId = idParam(params.campaignId);
  const { data, error, refetch } = useCampaignPostQuery({
    campaignId,
    postId: idParam(params.postId),
    language,
  });
  const { data: about } = useCampaignQuery({ campaignId, language });
  const post = data?.post;
  const campaign = about?.campaign;
  const lang = foreignLang(post?.language, language);
  usePageTitle(post?.title);

  const titled = { id: campaignId, slug: params.slug };
  return (
    <article className={`tk-container ${classes.root}`}>
      <p className={classes.back}>
        <Link to={paths.campaign(language, titled)} className={classes.backLink}>
          <ArrowLeftIcon size={16} />
          {campaign ? t('post.backTo', { title: campaign.title }) : t('action.back')}
        </Link>
      </p>
      {!post && error && (
        <>
          <h1 className="tk-visually-hidden">{t('list.failed')}</h1>
          <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'PostPage')}</ErrorState>
        </>
      )}
      {!post && !error && <LinesSkeleton lines={10} />}
      {post && (
        <div>
          <p className={classes.eyebrow}>
            {[t('post.eyebrow'), post.published_at && formatDate(language, post.published_at), post.author]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <h1 className={classes.title} lang={lang}>
            {post.title}
          </h1>
          {!hasOwnIntro(post.content.html) && (
            <p className={`tk-lead ${classes.intro}`} lang={lang}>
              {post.intro}
            </p>
          )}
          {post.restricted && !post.content.html ? (
            <p className={classes.locked}>
              <LockIcon />
              {t('post.restricted')}
            </p>
          ) : (
            <Story html={post.content.html} title={post.title} lang={lang} />
          )}
        </div>
      )}
    </article>
  );
}

/** Whether a text begins with its introduction: the same words above it would be there twice. */
const hasOwnIntro = (html: string) => html.startsWith('<p class="intro">');
