import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { content, useCampaignQuery } from '../../api/content';
import { post, useCampaignPostQuery, type Post } from '../../api/post';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useErrorText } from '../../i18n/errorText';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { takesPledges } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatDate, formatMoney } from '../../i18n/format';
import { BackLink } from '../../ui/BackLink';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { LockIcon } from '../../ui/icons';
import { idParam, notFound, type PageLoaderArgs } from '../../ui/page';
import { askToSignIn } from '../../ui/signInPrompt';
import { LinesSkeleton } from '../../ui/Skeletons';
import { Story } from '../../ui/Story';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './PostPage.module.css';

/** Waits for the post, so that one that does not exist shows the not-found page. */
export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  const { campaign } = content.endpoints;
  const { campaignPost } = post.endpoints;
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
  const { data, error, isFetching, refetch } = useCampaignPostQuery({
    campaignId,
    postId: idParam(params.postId),
    language,
  });
  const { data: about } = useCampaignQuery({ campaignId, language });
  const post = data?.post;
  const campaign = about?.campaign;
  const lang = foreignLang(post?.language, language);
  usePageTitle(post?.title);

  const mayBack = campaign ? takesPledges(campaign) : false;
  const titled = { id: campaignId, slug: params.slug };
  return (
    <article className={`tk-container ${classes.root}`}>
      <p className={classes.back}>
        <BackLink to={paths.campaign(language, titled)}>
          {campaign ? t('post.backTo', { title: campaign.title }) : t('action.back')}
        </BackLink>
      </p>
      {!post && error && !isFetching && (
        <>
          <h1 className="tk-visually-hidden">{t('list.failed')}</h1>
          <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'PostPage')}</ErrorState>
        </>
      )}
      {!post && isFetching && <LinesSkeleton lines={10} />}
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
          {post.content.html && (
            <div className={classes.story}>
              <Story html={post.content.html} title={post.title} lang={lang} />
            </div>
          )}
          {post.restricted && (
            <Restricted post={post} pledge={mayBack ? paths.pledge(language, titled) : undefined} />
          )}
        </div>
      )}
    </article>
  );
}

interface RestrictedProps {
  post: Post;
  /** The path of the checkout; undefined if the campaign takes no pledges now. */
  pledge?: string;
}

/** Below the public part of a restricted update: who can read the rest, and links to pledge or sign in. */
function Restricted({ post, pledge }: RestrictedProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { level } = post.meta;
  return (
    <div className={classes.locked}>
      <LockIcon />
      <p>
        {!post.content.html
          ? t('post.restricted')
          : level > 1
            ? t('post.restFrom', { amount: formatMoney(language, level, { cents: false }) })
            : t('post.rest')}
      </p>
      {pledge && (
        <Button component={Link} to={pledge} variant="light">
          {t('post.back')}
        </Button>
      )}
      {!isSignedIn && (
        <Button variant="transparent" onClick={() => dispatch(askToSignIn())}>
          {t('post.already')}
        </Button>
      )}
    </div>
  );
}

/** Whether the text begins with its introduction, which must then not be shown above it as well. */
const hasOwnIntro = (html: string) => html.startsWith('<p class="intro">');
