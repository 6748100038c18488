import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Backed } from '../../../api/backed';
import type { Campaign } from '../../../api/content';
import type { OwnPledgeIn, OwnSupportIn } from '../../../api/own';
import { toCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatDate, formatMoney } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { AlertCircleIcon, CircleCheckIcon, ClockIcon, InfoIcon } from '../../../ui/icons';
import { OwnBox } from '../../../ui/own/OwnBox';
import { RewardTitle } from '../../../ui/RewardTitle';
import classes from './MineBox.module.css';

interface More {
  to: string;
  label: string;
}

interface Act {
  to: string;
  label: string;
  more?: More;
}

/** One filled button to one's own, and a text button to more. */
function Actions({ to, label, more }: Act) {
  return (
    <>
      <Button component={Link} to={to} size="sm">
        {label}
      </Button>
      {more && (
        <Button component={Link} to={more.to} variant="transparent" size="sm">
          {more.label}
        </Button>
      )}
    </>
  );
}

/** Monthly support that the reader gives: going on, about to begin, paused, failed or held. */
export function SupportBox({ support, morePath }: { support: OwnSupportIn; morePath: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, status, due_on: due, next_charge_on: next, payment_method: method } = support;
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  const day = (date: string) => formatDate(language, date);
  const amount = money(support.amount);
  const to = paths.subscription(language, support.subscription_id);
  const more = { to: morePath, label: t('campaignPage.mine.more') };
  if (support.held_on !== undefined) {
    return (
      <OwnBox
        icon={<AlertCircleIcon />}
        look="failed"
        title={t('campaignPage.mine.held', { amount })}
        actions={<Actions to={to} label={t('campaignPage.mine.heldAct')} />}
      >
        {t('campaignPage.mine.failedText')}
      </OwnBox>
    );
  }
  if (status === 'past_due' || due !== undefined) {
    const month = due && capital(formatMonthName(language, due));
    return (
      <OwnBox
        icon={<AlertCircleIcon />}
        look="failed"
        title={
          month
            ? t('campaignPage.mine.failed', { month, amount })
            : t('campaignPage.mine.failedAny', { amount })
        }
        actions={<Actions to={to} label={t('campaignPage.mine.changeCard')} />}
      >
        {t('campaignPage.mine.failedText')}
      </OwnBox>
    );
  }
  if (status === 'processing') {
    return (
      <OwnBox
        icon={<ClockIcon />}
        look="done"
        title={t('campaignPage.mine.beginning', { amount })}
        actions={<Actions to={to} label={t('campaignPage.mine.heldAct')} more={more} />}
      >
        {t('campaignPage.mine.beginningText')}
      </OwnBox>
    );
  }
  if (status === 'paused') {
    return (
      <OwnBox
        icon={<ClockIcon />}
        look="done"
        title={t('campaignPage.mine.paused', { amount })}
        actions={<Actions to={to} label={t('campaignPage.mine.goOn')} />}
      >
        {next ? t('campaignPage.mine.pausedUntil', { day: day(next) }) : t('campaignPage.mine.pausedText')}
      </OwnBox>
    );
  }
  const words = [t('campaignPage.mine.since', { day: day(support.begun_on) })];
  if (support.ends_on) words.push(t('campaignPage.mine.ends', { day: day(support.ends_on) }));
  else if (next) {
    words.push(
      method
        ? t('campaignPage.mine.next', { day: day(next), method })
        : t('campaignPage.mine.nextDay', { day: day(next) }),
    );
    if (support.next_amount !== undefined)
      words.push(t('campaignPage.mine.level', { amount: money(support.next_amount) }));
  }
  return (
    <OwnBox
      icon={<CircleCheckIcon />}
      look="done"
      title={t('campaignPage.mine.support', { amount })}
      actions={<Actions to={to} label={t('campaignPage.mine.change')} more={more} />}
    >
      {words.join(' ')}
    </OwnBox>
  );
}

export interface PledgesBoxProps {
  /** At least one, the latest first. */
  pledges: readonly OwnPledgeIn[];
  /** The checkout; undefined when the campaign takes no pledges. */
  morePath?: string;
}

/** Pledges that the reader has made. */
export function PledgesBox({ pledges, morePath }: PledgesBoxProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [latest] = pledges;
  if (!latest) return null;
  const { currency } = latest;
  const cents = pledges.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const amount = formatMoney(language, cents / 100, { cents: true, currency });
  const title =
    pledges.length === 1
      ? t('campaignPage.mine.pledged', { amount, day: formatDate(language, latest.charged_at) })
      : t('campaignPage.mine.pledgedAll', { amount, count: pledges.length });
  const rewards = pledges.filter(({ reward_title }) => reward_title);
  const words = [
    pledges.some(({ status }) => status === 'processing') && t('campaignPage.mine.processing'),
    pledges.some(({ status }) => status === 'disputed') && t('campaignPage.mine.disputed'),
  ].filter(Boolean);
  return (
    <>
      <OwnBox
        icon={<CircleCheckIcon />}
        look="done"
        title={title}
        actions={
          <Actions
            to={paths.myPledges(language)}
            label={t('campaignPage.mine.yours')}
            more={
              morePath === undefined ? undefined : { to: morePath, label: t('campaignPage.mine.pledgeMore') }
            }
          />
        }
      >
        {rewards.map(({ pledge_id, reward_title = '', reward_language, quantity }, place) => (
          <Fragment key={pledge_id}>
            {place > 0 && ', '}
            {quantity > 1 && `${quantity} × `}
            <RewardTitle title={reward_title} language={reward_language} />
          </Fragment>
        ))}
        {rewards.length > 0 && '. '}
        {words.join(' ')}
      </OwnBox>
      {morePath !== undefined && <p className={classes.below}>{t('campaignPage.mine.counted')}</p>}
    </>
  );
}

export interface GuestBoxProps {
  guest: Backed;
  campaign: Campaign;
  onForget: () => void;
}

/** What was paid from this browser while nobody was signed in. It may have been somebody else. */
export function GuestBox({ guest, campaign, onForget }: GuestBoxProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { at, mail } = guest;
  const amount = formatMoney(language, guest.amount, { cents: true, currency: campaign.currency });
  return (
    <OwnBox
      icon={<InfoIcon />}
      look="sunken"
      title={t(isRecurring(campaign.stage) ? 'campaignPage.mine.guestMonthly' : 'campaignPage.mine.guest', {
        amount,
      })}
      actions={
        <Button variant="transparent" size="sm" onClick={onForget}>
          {t('campaignPage.mine.forget')}
        </Button>
      }
    >
      {t('campaignPage.mine.guestText', { day: formatDate(language, at), mail })}
    </OwnBox>
  );
}
