import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../api/content';
import type { OwnInCampaign } from '../../api/own';
import { toCents } from '../../domain/amounts';
import { paths } from '../../domain/paths';
import { isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { BackLink } from '../../ui/BackLink';
import { Button } from '../../ui/Button';
import { OptionRow } from '../../ui/OptionRow';
import classes from './AlreadyHere.module.css';
import { moneyOfCents } from './money';

export interface AlreadyHereProps {
  campaign: Campaign;
  /** With monthly support of a monthly campaign, or with pledges to another one. */
  own: OwnInCampaign;
  /** A second one is wanted. */
  onSecond: () => void;
}

/** Whether somebody who opens the checkout has one of its kind already, so that they are asked first. */
export function hasAlready(campaign: Campaign, own: OwnInCampaign | undefined): own is OwnInCampaign {
  return own !== undefined && (isRecurring(campaign.stage) ? own.subscriptions : own.pledges).length > 0;
}

/** What one does with what there is. Support that is about to begin cannot be changed before. */
const first = { pledge: 'see', beginning: 'beginning', support: 'raise' } as const;

/** Before the checkout of somebody who has one already: what do they want? Nothing is chosen, and no sum is shown. */
export function AlreadyHere({ campaign, own, onSecond }: AlreadyHereProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [choice, setChoice] = useState<'first' | 'second'>();
  const isMonthly = isRecurring(campaign.stage);
  const money = (cents: number) => moneyOfCents(language, cents, campaign.currency);
  const having = isMonthly ? own.subscriptions : own.pledges;
  const amount = money(having.reduce((sum, one) => sum + toCents(one.amount), 0));
  const support = own.subscriptions.find(({ status }) => status !== 'processing') ?? own.subscriptions[0];
  const kind = !isMonthly ? 'pledge' : support?.status === 'processing' ? 'beginning' : 'support';
  const toFirst =
    isMonthly && support ? paths.subscription(language, support.subscription_id) : paths.myPledges(language);
  const row = (value: 'first' | 'second') => ({
    name: 'already',
    value,
    isChecked: choice === value,
    onChoose: () => setChoice(value),
  });
  return (
    <div className={`tk-container ${classes.root}`}>
      <BackLink to={paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug })}>
        {campaign.title}
      </BackLink>
      <h1 className="tk-form-title">{t('pledge.title')}</h1>
      <p className={`tk-lead ${classes.lead}`}>{t(`pledge.already.${kind}Lead`, { amount })}</p>
      <div role="radiogroup" aria-label={t('pledge.already.legend')} className={classes.options}>
        <OptionRow
          {...row('first')}
          label={t(`pledge.already.${first[kind]}`)}
          detail={t(`pledge.already.${first[kind]}Detail`)}
          note={kind === 'support' ? t('pledge.already.raiseNote', { sum: money(0) }) : undefined}
          isNoteBelow
        />
        <OptionRow
          {...row('second')}
          label={t(isMonthly ? 'pledge.already.secondSupport' : 'pledge.already.second')}
          detail={t(isMonthly ? 'pledge.already.secondSupportDetail' : 'pledge.already.secondDetail')}
        />
      </div>
      <div className={classes.charged}>
        <span>{t('pledge.chargedNow')}</span>
        <span>{choice === 'first' ? money(0) : t('pledge.already.chooseFirst')}</span>
      </div>
      {choice === 'first' ? (
        <Button component={Link} to={toFirst} size="xl" fullWidth>
          {t('pledge.already.goOn')}
        </Button>
      ) : (
        <Button size="xl" fullWidth disabled={choice === undefined} onClick={onSecond}>
          {t('pledge.already.goOn')}
        </Button>
      )}
    </div>
  );
}
