import { useTranslation } from 'react-i18next';
import { redirect, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery, type Campaign } from '../../../api/content';
import { lists } from '../../../api/lists';
import { askMine } from '../../../api/own';
import { useErrorText } from '../../../i18n/errorText';
import { mayEdit } from '../../../domain/access';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { campaignStages, isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { lazyComponent } from '../../../ui/lazyComponent';
import { idParam, notFound, type PageLoaderArgs, type playVideo } from '../../../ui/page';
import { Picture } from '../../../ui/Picture';
import { usePageTitle } from '../../../ui/usePageTitle';
import { VideoPoster } from '../../../ui/video/VideoPoster';
import { campaignState } from '../rules';
import { useNow } from '../../../ui/useNow';
import { SuggestionsBelow } from '../../../ui/suggestions/SuggestionsBelow';
import { Backers } from './Backers';
import classes from './CampaignPage.module.css';
import { CampaignTabs } from './CampaignTabs';
import { Creator } from './Creator';
import { HoldPanel } from './HoldPanel';
import { MonthlyPanel } from './MonthlyPanel';
import { PhoneBar } from './PhoneBar';
import { PledgePanel } from './PledgePanel';
import { pledgePath, type SupportLink } from './pledgePath';
import { Rewards } from './Rewards';
import { Story } from '../../../ui/Story';
import { Updates } from './Updates';
import { useCountedVisit } from './useCountedVisit';
import { useIsOnScreen } from './useIsOnScreen';
import { useMine } from './useMine';
import { useMonthlyChoice } from './useMonthlyChoice';
import { prepareVariation, showsTagline, withVariation } from './variation';

/** Loaded for a campaign's team and staff only. */
const ModeBar = lazyComponent(() => import(/* webpackChunkName: "mode-bar" */ '../../../ui/modes/ModeBar'), {
  skeleton: <div className={classes.modeBar} />,
});

/** Waits for the campaign, and for what a signed-in reader has in it; the sections below it load meanwhile. */
export async function load({ params, request, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  // The former address of edit mode, in old links.
  if (new URL(request.url).searchParams.get('mode') === 'edit')
    return redirect(paths.editCampaign(language, { id: campaignId, slug: params.slug ?? '_' }));
  const { campaign, campaignRewards } = content.endpoints;
  const { backerList, postList } = lists.endpoints;
  const asked = dispatch(campaign.initiate({ campaignId, language }, { subscribe: false }));
  void dispatch(campaignRewards.initiate({ campaignId, language }, { subscribe: false }));
  void dispatch(postList.initiate({ campaignId, language }, { subscribe: false }));
  void dispatch(backerList.initiate({ campaignId }, { subscribe: false }));
  // Awaited, so that the panel does not change under its reader's eyes; without an answer the page is as for anybody.
  const [{ data, error }] = await Promise.all([asked, dispatch(askMine(campaignId))]);
  if (isApiError(error) && error.http === 404) throw notFound();
  if (data) await prepareVariation(data.campaign);
  return null;
}

/** The page of a campaign, in view mode. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const campaignId = idParam(useParams().campaignId);
  const { currentData, error, isFetching, refetch } = useCampaignQuery({ campaignId, language });
  const campaign = currentData?.campaign;
  useCountedVisit(campaign);
  usePageTitle(campaign?.title);

  if (!campaign && error && !isFetching) {
    return (
      <div className="tk-container tk-section">
        <h1 className="tk-visually-hidden">{t('list.failed')}</h1>
        <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'CampaignPage')}</ErrorState>
      </div>
    );
  }
  if (!campaign) return <CampaignSkeleton />;
  return <CampaignView campaign={withVariation(campaign)} />;
}

function CampaignView({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [search] = useSearchParams();
  const state = campaignState(campaign, useNow());
  const asked = useLocation().state as Partial<typeof playVideo> | null;
  const [watchButton, isButtonOnScreen] = useIsOnScreen();
  const chosen = Number(search.get('reward')) || undefined;
  const monthly = useMonthlyChoice(campaign);
  const mine = useMine(campaign);
  const support: SupportLink | undefined = mine.underWay
    ? {
        path: pledgePath(language, campaign),
        label: t(mine.underWay.isPaid ? 'underWay.paidAct' : 'underWay.act'),
      }
    : state === 'monthly' && mine.support
      ? {
          path: paths.subscription(language, mine.support.subscription_id),
          label: t('campaignPage.mine.yourSupport'),
        }
      : state !== 'monthly' && mine.pledges.length > 0
        ? { path: paths.myPledges(language), label: t('campaignPage.mine.yours') }
        : campaign.is_unpayable
          ? undefined
          : state === 'open'
            ? { path: pledgePath(language, campaign, chosen), label: t('campaign.join') }
            : state === 'monthly'
              ? { path: monthly.path, label: t('campaignPage.supportMonthly') }
              : undefined;
  const lang = foreignLang(campaign.language, language);
  const eyebrow = [campaign.category, isRecurring(campaign.stage) ? t('stage.recurring') : campaign.place];

  return (
    <div>
      {mayEdit(campaign.acl) && (
        <ModeBar
          campaign={{ ...campaign, id: campaign.campaign_id }}
          acl={campaign.acl}
          mode="view"
          end={campaign.stage === campaignStages.draft && t('mode.draft')}
          held={campaign.held}
        />
      )}
      <div className={`tk-container ${classes.head}`}>
        <div className={classes.main}>
          <p className={classes.eyebrow}>{eyebrow.filter(Boolean).join(' · ')}</p>
          <h1 lang={lang}>{campaign.title}</h1>
          {showsTagline(campaign) && campaign.tagline && (
            <p lang={lang} className={classes.tagline}>
              {campaign.tagline}
            </p>
          )}
          <p lang={lang} className={`tk-lead ${classes.lead}`}>
            {campaign.short_description}
          </p>
          <div className={classes.cover} data-hold={campaign.hold}>
            <VideoPoster
              url={campaign.video_url}
              startsPlaying={asked?.play}
              title={campaign.title}
              poster={
                <Picture
                  name={campaign.project_pic}
                  alt={campaign.project_pic_alt ?? ''}
                  ratio={1.6}
                  widths={[640, 960, 1552]}
                  sizes="(min-width: 73.75em) 48.5rem, (min-width: 56.25em) calc(100vw - 30rem), 100vw"
                  shape="none"
                  isFirst
                  className={classes.picture}
                  style={{ viewTransitionName: 'tk-cover' }}
                />
              }
            />
          </div>
        </div>
        <div>
          {state === 'held' || state === 'stopped' ? (
            <HoldPanel campaign={campaign} />
          ) : state === 'monthly' ? (
            <MonthlyPanel campaign={campaign} mine={mine} buttonRef={watchButton} />
          ) : (
            <PledgePanel
              campaign={campaign}
              state={state}
              mine={mine}
              chosenReward={chosen}
              buttonRef={watchButton}
            />
          )}
          <Creator campaign={campaign} />
        </div>
      </div>
      <CampaignTabs campaign={campaign} state={state} support={support} />
      <div className={`tk-container ${classes.body}`}>
        <section id="story" aria-label={t('campaignPage.story')} className={classes.story} lang={lang}>
          {campaign.hold && <p className={classes.stays}>{t('hold.story')}</p>}
          <Story html={campaign.html_description} title={campaign.title} />
        </section>
        <Rewards campaign={campaign} state={state} chosenReward={chosen} />
        <Updates campaign={campaign} />
        <Backers campaign={campaign} />
      </div>
      {campaign.stage !== campaignStages.draft && <SuggestionsBelow campaignId={campaign.campaign_id} />}
      {support && <PhoneBar campaign={campaign} support={support} isShown={!isButtonOnScreen} />}
    </div>
  );
}

function CampaignSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={`tk-container ${classes.head}`} role="status" aria-label={t('list.loading')}>
      <div className={classes.main}>
        <div className={classes.skeletonTitle} />
        <div className={`${classes.cover} ${classes.skeletonCover}`} />
      </div>
      <div className={classes.skeletonPanel} />
    </div>
  );
}
