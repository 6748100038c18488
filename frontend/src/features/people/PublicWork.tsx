import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview, ProfileExperiment, ProfilePost, PublicProfile } from '../../api/people';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { campaignStageName, campaignStages, experimentStageName } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, formatPercent } from '../../i18n/format';
import { campaignPercent } from '../../domain/progress';
import { CardTitle } from '../../ui/CardTitle';
import { Cuts } from '../../ui/Cuts';
import { EmptyState } from '../../ui/EmptyState';
import { LockIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import { Progress } from '../../ui/Progress';
import { StageDots } from '../../ui/StageDots';
import classes from './PublicWork.module.css';

/** What a person has to show: campaigns, experiments and the latest posts of the campaigns. */
export function PublicWork({ profile }: { profile: PublicProfile }) {
  const { t } = useTranslation();
  const { campaigns, experiments, posts } = profile;
  const language = useLanguage();
  const story = profile.long_description;
  if (campaigns.length + experiments.length === 0 && !story && !profile.short_description)
    return <EmptyState>{t('people.quiet', { name: profile.first_name })}</EmptyState>;
  return (
    <div className={classes.root}>
      {story && (
        <div className={classes.story}>
          <Cuts kind="quote" />
          <p lang={foreignLang(profile.language, language)}>{story}</p>
        </div>
      )}
      <Part title={t('people.campaignsTitle')} isShown={campaigns.length > 0}>
        <ul className={classes.campaigns}>
          {campaigns.map((one) => (
            <Campaign key={one.campaign_id} campaign={one} />
          ))}
        </ul>
      </Part>
      <Part title={t('people.experimentsTitle')} isShown={experiments.length > 0}>
        <ul className={classes.rows}>
          {experiments.map((one) => (
            <Experiment key={one.experiment_id} experiment={one} />
          ))}
        </ul>
      </Part>
      <Part title={t('people.postsTitle')} isShown={posts.length > 0}>
        <ul className={classes.rows}>
          {posts.map((one) => (
            <Post key={one.id} post={one} />
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Part({ title, isShown, children }: { title: string; isShown: boolean; children: ReactNode }) {
  if (!isShown) return null;
  return (
    <section aria-label={title} className={classes.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Campaign({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const lang = foreignLang(campaign.language, language);
  const { campaign_id, slug, title, funding_reached, target_goal, hide_funding_amount } = campaign;
  const money = (amount: number) =>
    formatMoney(language, amount, { cents: false, currency: campaign.currency });
  const isOneOff = campaign.stage !== campaignStages.recurring && campaign.stage !== campaignStages.preparing;
  return (
    <li className={classes.campaign}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[400, 640, 800]}
        sizes="(min-width: 68.75em) 22.5rem, (min-width: 40em) 46vw, calc(100vw - 2.5rem)"
      />
      {isOneOff && target_goal > 0 && (
        <Progress
          size="sm"
          confirmed={funding_reached}
          settling={campaign.funding_settling}
          goal={target_goal}
          currency={campaign.currency}
          isHidden={hide_funding_amount}
        />
      )}
      <p className={classes.facts}>
        {isOneOff && target_goal > 0 && !hide_funding_amount && (
          <span>
            <b>{formatPercent(language, campaignPercent(funding_reached, target_goal))}</b>{' '}
            {money(funding_reached)} / {money(target_goal)}
          </span>
        )}
        <span>{t(`stage.${campaignStageName(campaign.stage) ?? 'funding'}`)}</span>
      </p>
      <CardTitle
        to={paths.campaign(language, { id: campaign_id, slug, title })}
        lang={lang}
        className={classes.title}
      >
        {title}
      </CardTitle>
      <p className={classes.text} lang={lang}>
        {campaign.tagline}
      </p>
    </li>
  );
}

function Experiment({ experiment }: { experiment: ProfileExperiment }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const lang = foreignLang(experiment.language, language);
  const { experiment_id, slug, title, stage } = experiment;
  const stageName = experimentStageName(stage);
  return (
    <li className={classes.experiment}>
      <Picture
        name={experiment.image}
        alt=""
        ratio={2.4}
        widths={[200, 400]}
        sizes="12.5rem"
        shape="thumb"
        className={classes.scene}
      />
      <div className={classes.words}>
        <p className={classes.stage}>
          <StageDots stage={stage} />
          {stageName && <span>{t(`experimentStage.${stageName}`)}</span>}
        </p>
        <CardTitle
          to={paths.experiment(language, { id: experiment_id, slug, title })}
          lang={lang}
          className={classes.title}
        >
          {title}
        </CardTitle>
        <p className={classes.text} lang={lang}>
          {experiment.short_description}
        </p>
      </div>
      <p className={classes.role}>
        {t(experiment.owner ? 'people.owner' : 'people.member')}
        {experiment.hidden && ` · ${t('people.hidden')}`}
      </p>
    </li>
  );
}

function Post({ post }: { post: ProfilePost }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign_id: id, slug, campaign_title: campaign } = post;
  return (
    <li className={classes.post}>
      <p className={classes.day}>{formatDay(language, post.published_at)}</p>
      <div className={classes.words}>
        <h3 className={classes.title} lang={foreignLang(post.language, language)}>
          <Link to={paths.post(language, { id, slug }, post.id)}>{post.title}</Link>
        </h3>
        <p className={classes.text}>
          {t(post.level > 0 ? 'people.forBackers' : 'people.forEveryone', { campaign })}
        </p>
      </div>
      {post.level > 0 && <LockIcon size={16} />}
    </li>
  );
}
