import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview, CampaignPreviewsAnswer } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { displayedGoal } from '../../../domain/goals';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney } from '../../../i18n/format';
import { CardTitle } from '../../../ui/CardTitle';
import { ErrorState } from '../../../ui/ErrorState';
import { Picture } from '../../../ui/Picture';
import { namedOf } from '../named';
import { isWithoutSupporters, supportersOf } from '../rules';
import { StepBars } from '../StepBars';
import type { ListQuery } from './calls';
import classes from './MonthlyBand.module.css';

export interface MonthlyBandProps {
  list: ListQuery<CampaignPreviewsAnswer>;
}

const places = [0, 1, 2];

/** The section of monthly campaigns. */
export function MonthlyBand({ list }: MonthlyBandProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (list.data?.previews.length === 0) return null;
  return (
    <section aria-labelledby="monthly" className={classes.root}>
      <div className={`tk-container ${classes.columns}`}>
        <div className={classes.words}>
          <h2 id="monthly">{t('stage.recurring')}</h2>
          <p>{t('home.monthlyText')}</p>
          {list.data && (
            <Button
              component={Link}
              to={paths.campaigns(language, { list: 'subscriptions' })}
              variant="light"
              className={classes.all}
            >
              {list.data.total_is_more
                ? t('home.showAllOver', { total: formatCount(language, list.data.total - 1) })
                : t('home.showAll', { total: formatCount(language, list.data.total) })}
            </Button>
          )}
        </div>
        {list.isError && !list.data ? (
          <ErrorState onRetry={list.refetch} />
        ) : (
          <ul className={classes.cards}>
            {list.isLoading &&
              places.map((place) => <li key={place} className={classes.card} aria-hidden="true" />)}
            {list.data?.previews.map((campaign) => (
              <MonthlyCard key={campaign.campaign_id} campaign={campaign} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function MonthlyCard({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const supporters = supportersOf(campaign);
  const lang = foreignLang(campaign.language, language);
  const isNew = isWithoutSupporters(campaign);
  const { subscriptions, currency } = campaign;
  const next = displayedGoal(subscriptions?.subscriptions_goals ?? [], supporters);
  const amount = formatMoney(language, subscriptions?.subscriptions_amount_total ?? 0, {
    cents: false,
    currency,
  });
  return (
    <li className={classes.card}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[320, 480, 720]}
        sizes="(min-width: 56.25em) 17.25rem, calc(100vw - 2.5rem)"
        shape="none"
      />
      <div className={classes.inside}>
        <CardTitle to={paths.campaign(language, namedOf(campaign))} lang={lang}>
          {campaign.title}
        </CardTitle>
        <p className={classes.tagline} lang={lang}>
          {campaign.tagline}
        </p>
        <StepBars campaign={campaign} />
        <p className={classes.facts}>
          {!isNew && (
            <>
              {!campaign.hide_member_count && <b>{t('campaign.supporters', { count: supporters })}</b>}
              {!campaign.hide_member_count && !campaign.hide_funding_amount && ' · '}
              {!campaign.hide_funding_amount && t('campaign.aMonth', { amount })}
            </>
          )}
          {next && (
            <span className={classes.next}>
              {t(isNew ? 'home.firstStep' : 'home.nextStep', {
                title: next.title,
                supporters: t('campaign.supporters', { count: next.target }),
              })}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}
