import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, timeLeftText } from '../../../i18n/format';
import { PlayIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import { playVideo } from '../../../ui/page';
import { Progress } from '../../../ui/Progress';
import { namedOf } from '../named';
import { useNow } from '../../../ui/useNow';
import classes from './Hero.module.css';

export interface HeroProps {
  /** The most popular open campaign. Without one, a general introduction is shown. */
  campaign?: CampaignPreview;
  isLoading: boolean;
}

/** The top of the home page. */
export function Hero({ campaign, isLoading }: HeroProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (campaign) return <CampaignHero campaign={campaign} />;
  if (isLoading) return <div className={classes.root} aria-busy="true" />;
  return (
    <div className={`tk-container tk-section ${classes.plain}`}>
      <h1>{t('home.title')}</h1>
      <p className="tk-lead">{t('home.lead')}</p>
      <Button component={Link} to={paths.campaigns(language)} size="lg">
        {t('home.browse')}
      </Button>
    </div>
  );
}

function CampaignHero({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const to = paths.campaign(language, namedOf(campaign));
  const lang = foreignLang(campaign.language, language);
  const money = (amount: number) =>
    formatMoney(language, amount, { cents: false, currency: campaign.currency });
  const left = campaign.funding_deadline
    ? timeLeftText(timeLeft(new Date(campaign.funding_deadline).getTime(), now))
    : undefined;

  return (
    <section className={classes.root}>
      <div className={classes.words}>
        <p className={classes.eyebrow}>{t('home.now')}</p>
        <h1 className={classes.title} lang={lang}>
          <Link to={to} className={classes.titleLink}>
            {campaign.title}
          </Link>
        </h1>
        <p className="tk-lead" lang={lang}>
          {campaign.short_description}
        </p>
        <div className={classes.bar}>
          <Progress
            confirmed={campaign.funding_reached}
            settling={campaign.funding_settling}
            goal={campaign.target_goal}
            minGoal={campaign.min_goal}
            currency={campaign.currency}
            isHidden={campaign.hide_funding_amount}
          />
        </div>
        <dl className={classes.figures}>
          {campaign.hide_funding_amount ? (
            <div>
              <dt>{t('progress.hidden')}</dt>
            </div>
          ) : (
            <div>
              <dt>{t('campaign.goal', { goal: money(campaign.target_goal) })}</dt>
              <dd className={classes.money}>{money(campaign.funding_reached)}</dd>
            </div>
          )}
          {!campaign.hide_member_count && (
            <div>
              <dt>{t('campaign.backersWord', { count: campaign.number_of_backers })}</dt>
              <dd>{formatCount(language, campaign.number_of_backers)}</dd>
            </div>
          )}
          {left && left.key !== 'time.over' && (
            <div>
              <dt>{t('campaign.left')}</dt>
              <dd>{t(left.key, { count: left.count })}</dd>
            </div>
          )}
        </dl>
        <div className={classes.acts}>
          <Button component={Link} to={to} size="lg" className={classes.main}>
            {t('campaign.join')}
          </Button>
          {campaign.has_video && (
            <Link to={to} state={playVideo} className={classes.video}>
              <PlayIcon size={16} />
              {t('video.watch')}
            </Link>
          )}
        </div>
      </div>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[640, 960, 1440, 1920]}
        sizes="(min-width: 56.25em) 57vw, 100vw"
        shape="none"
        isFirst
        className={classes.cover}
      />
    </section>
  );
}
