import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { campaignStages, isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatDate, formatDay, formatMoney } from '../../../i18n/format';
import { HandIcon, PauseIcon } from '../../../ui/holdIcons';
import { Money } from '../../../ui/Money';
import { Progress } from '../../../ui/Progress';
import { supportersOf } from '../rules';
import classes from './HoldPanel.module.css';
import { PanelFigures } from './PanelFigures';
import panel from './PledgePanel.module.css';

/** The panel of a campaign on hold, or of one that staff have stopped: why, and what it means. Nobody can join by it. */
export function HoldPanel({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { held, currency, funding_reached: reached, target_goal: target, subscriptions } = campaign;
  if (!held) return null;
  const isStopped = held.kind === 'stopped';
  const wasMonthly = campaign.opens_as === campaignStages.recurring;
  const day = formatDate(language, held.since);
  const own = held.sentence;
  return (
    <section aria-label={t('campaignPage.panel')} className={panel.root}>
      <p className={classes.since}>
        {isStopped ? <HandIcon size={20} /> : <PauseIcon size={20} />}
        {t(isStopped ? 'hold.sinceStopped' : 'hold.since', { day })}
      </p>
      {isStopped ? (
        <p className={classes.title}>{t('hold.stoppedTitle')}</p>
      ) : (
        !campaign.hide_funding_amount && <Reached campaign={campaign} />
      )}
      {!isStopped && !isRecurring(campaign.stage) && target > 0 && (
        <div className={panel.progress}>
          <Progress
            confirmed={reached}
            settling={campaign.funding_settling}
            goal={target}
            minGoal={campaign.min_goal}
            currency={currency}
            isHidden={campaign.hide_funding_amount}
            hasLegend={false}
            isSumAbove
          />
        </div>
      )}
      <p className={classes.why}>
        <span lang={own ? foreignLang(campaign.language, language) : undefined}>
          {own ?? t(`${isStopped ? 'hold.stoppedReason' : 'hold.reason'}.${held.reason}`)}
        </span>{' '}
        {isStopped
          ? [t('hold.nothingNew'), t(wasMonthly ? 'hold.monthlyEnded' : 'hold.backersTold')].join(' ')
          : t('hold.nothing')}{' '}
        {held.tells_on && t('hold.tellsOn', { day: formatDay(language, held.tells_on) })}
      </p>
      {isStopped && !wasMonthly && (
        <dl className={classes.figures}>
          {!campaign.hide_funding_amount && (
            <div>
              <dd>{formatMoney(language, reached, { cents: false, currency })}</dd>
              <dt>{t('hold.raised')}</dt>
            </div>
          )}
          {!campaign.hide_member_count && (
            <div>
              <dd>{campaign.number_of_backers}</dd>
              <dt>{t('campaign.backersWord', { count: campaign.number_of_backers })}</dt>
            </div>
          )}
        </dl>
      )}
      {!isStopped && !subscriptions && (
        <PanelFigures
          campaign={campaign}
          state={campaign.stage === campaignStages.preparing ? 'preparing' : 'open'}
        />
      )}
    </section>
  );
}

/** What has been given until now; of monthly support in a month. */
function Reached({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, target_goal: target, subscriptions } = campaign;
  if (isRecurring(campaign.stage))
    return (
      <>
        <p>
          <Money amount={subscriptions?.subscriptions_amount_total ?? 0} currency={currency} />{' '}
          {t('campaignPage.inMonth')}
        </p>
        {!campaign.hide_member_count && (
          <p className={panel.under}>{t('campaignPage.fromSupporters', { count: supportersOf(campaign) })}</p>
        )}
      </>
    );
  return (
    <>
      <p>
        <Money amount={campaign.funding_reached} currency={currency} />
      </p>
      <p className={panel.under}>
        {t('hold.inTill', { goal: formatMoney(language, target, { cents: false, currency }) })}
      </p>
    </>
  );
}
