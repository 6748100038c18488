import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatPercent, timeLeftText } from '../../../i18n/format';
import { exactMoney } from '../../../i18n/progressText';
import { CardTitle } from '../../../ui/CardTitle';
import { ErrorState } from '../../../ui/ErrorState';
import { Picture } from '../../../ui/Picture';
import { Progress } from '../../../ui/Progress';
import { namedOf } from '../named';
import { missing, percentOf } from '../rules';
import { useNow } from '../../../ui/useNow';
import type { ListQuery } from './calls';
import classes from './EndingSoon.module.css';
import { SectionHead } from './SectionHead';

export interface EndingSoonProps {
  campaigns: readonly CampaignPreview[];
  list: ListQuery<unknown>;
}

const places = [0, 1, 2];

/** The campaigns with the least time left. */
export function EndingSoon({ campaigns, list }: EndingSoonProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  if (list.data !== undefined && campaigns.length === 0) return null;

  return (
    <section aria-labelledby="ending" className={`tk-container ${classes.root}`}>
      <SectionHead id="ending" title={t('home.ending')} to={paths.campaigns(language, { sort: 'ending' })}>
        {t('home.allEnding')}
      </SectionHead>
      {list.isError && !list.data && <ErrorState onRetry={list.refetch} />}
      <ul className={classes.list}>
        {list.isLoading &&
          places.map((place) => <li key={place} className={classes.row} aria-hidden="true" />)}
        {campaigns.map((campaign) => (
          <EndingRow key={campaign.campaign_id} campaign={campaign} now={now} />
        ))}
      </ul>
    </section>
  );
}

interface EndingRowProps {
  campaign: CampaignPreview;
  now: number;
}

function EndingRow({ campaign, now }: EndingRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const left = timeLeftText(timeLeft(new Date(campaign.funding_deadline ?? now).getTime(), now));
  const lacks = missing(campaign);
  const facts = campaign.hide_funding_amount
    ? t('progress.hidden')
    : [
        formatPercent(language, percentOf(campaign)),
        lacks === undefined
          ? t('home.goalFull')
          : t('home.lacks', {
              amount: exactMoney(language, lacks, campaign.currency),
            }),
      ].join(' · ');

  return (
    <li className={classes.row}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[132, 264, 396]}
        sizes="8.25rem"
        shape="thumb"
        className={classes.thumb}
      />
      <div className={classes.what}>
        <CardTitle
          to={paths.campaign(language, namedOf(campaign))}
          lang={foreignLang(campaign.language, language)}
        >
          {campaign.title}
        </CardTitle>
        <p className={classes.small}>{campaign.creator.name}</p>
      </div>
      <div className={classes.how}>
        <Progress
          size="sm"
          confirmed={campaign.funding_reached}
          settling={campaign.funding_settling}
          goal={campaign.target_goal}
          minGoal={campaign.min_goal}
          currency={campaign.currency}
          isHidden={campaign.hide_funding_amount}
        />
        <p className={classes.small}>{facts}</p>
      </div>
      <p className={classes.left}>
        <b className={classes.time}>{t(left.key, { count: left.count })}</b>{' '}
        {left.key !== 'time.over' && <span className={classes.small}>{t('campaign.left')}</span>}
      </p>
    </li>
  );
}
