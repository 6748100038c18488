import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { hasMarks } from '../../../domain/marks';
import { paths } from '../../../domain/paths';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, formatPastDay, formatPercent } from '../../../i18n/format';
import { Chip } from '../../../ui/Chip';
import { useNow } from '../../../ui/useNow';
import { namedOf } from '../named';
import {
  campaignState,
  endsOnItsLastDay,
  percentOf,
  stepsOf,
  supportersOf,
  type CampaignState,
} from '../rules';
import { HitRow } from './HitRow';
import classes from './SearchPage.module.css';

export interface CampaignRowProps {
  campaign: CampaignPreview;
  marks: readonly string[];
}

/** The line of a campaign that has the words of a search, else its tagline. */
export function lineOf({ tagline, short_description }: CampaignPreview, marks: readonly string[]): string {
  return !hasMarks(tagline, marks) && hasMarks(short_description, marks) ? short_description : tagline;
}

/** A campaign that was found, as a row. */
export function CampaignRow({ campaign, marks }: CampaignRowProps) {
  const language = useLanguage();
  const state = campaignState(campaign, useNow());
  return (
    <HitRow
      to={paths.campaign(language, namedOf(campaign))}
      title={campaign.title}
      text={lineOf(campaign, marks)}
      by={[campaign.creator.name, campaign.place].filter(Boolean).join(', ')}
      picture={campaign.project_pic}
      lang={foreignLang(campaign.language, language)}
      marks={marks}
      facts={<Facts campaign={campaign} state={state} />}
      end={<Backers campaign={campaign} state={state} />}
    />
  );
}

interface Stated {
  campaign: CampaignPreview;
  state: CampaignState;
}

function Facts({ campaign, state }: Stated) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const { currency, target_goal, funding_reached, hide_funding_amount, funding_deadline } = campaign;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const percent = formatPercent(language, percentOf(campaign));
  if (state === 'monthly') {
    const { subscriptions } = campaign;
    const next =
      subscriptions && stepsOf(subscriptions, supportersOf(campaign)).find((one) => one.state === 'next');
    return (
      <>
        {!hide_funding_amount && (
          <b className={classes.sum}>
            {t('campaign.aMonth', { amount: money(subscriptions?.subscriptions_amount_total ?? 0) })}
          </b>
        )}{' '}
        {!campaign.hide_member_count && t('campaign.supporters', { count: supportersOf(campaign) })}
        {next && <div>{t('search.nextStep', { title: next.title })}</div>}
      </>
    );
  }
  if (state === 'preparing') {
    return (
      <>
        {campaign.funding_start && (
          <>
            <Chip tone="spruce">{t('search.opens')}</Chip>{' '}
            <b>{formatDay(language, campaign.funding_start)}</b>
          </>
        )}
        {target_goal > 0 && !hide_funding_amount && (
          <div>{t('search.goal', { goal: money(target_goal) })}</div>
        )}
      </>
    );
  }
  if (state === 'open') {
    const left = timeLeft(new Date(funding_deadline ?? now).getTime(), now);
    return (
      <>
        {!hide_funding_amount && <b className={classes.sum}>{percent}</b>}{' '}
        {left.unit !== 'over' && t(`campaign.${left.unit}`, { count: left.count })}
      </>
    );
  }
  if (state === 'held') return <Chip tone="plain">{t('search.ended.held')}</Chip>;
  const hasSucceeded = state === 'succeeded';
  return (
    <>
      <Chip tone={hasSucceeded ? 'spruce' : 'plain'}>{t(`search.ended.${state}`)}</Chip>{' '}
      {!hide_funding_amount && <b>{hasSucceeded ? money(funding_reached) : percent}</b>}
      {funding_deadline && endsOnItsLastDay(state) && (
        <div>{t('search.endedOn', { day: formatPastDay(language, funding_deadline, now) })}</div>
      )}
    </>
  );
}

function Backers({ campaign, state }: Stated) {
  const { t } = useTranslation();
  const count = campaign.number_of_backers;
  const isTold =
    ['succeeded', 'notReached', 'closed', 'over'].includes(state) && !campaign.hide_member_count && count > 0;
  return isTold ? <b>{t('campaignPage.backersCount', { count })}</b> : null;
}
