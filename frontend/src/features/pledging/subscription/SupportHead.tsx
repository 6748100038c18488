import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectIsSignedIn } from '../../../api/session';
import type { Subscription } from '../../../api/subscriptionPayments';
import type { Subscription as SubscriptionRecord } from '../../../api/subscriptions';
import { paths } from '../../../domain/paths';
import { takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatDate, formatDay, formatMoney } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { BackLink } from '../../../ui/BackLink';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { isPaid } from './facts';
import classes from './SubscriptionPage.module.css';
import type { useCharge } from './useCharge';

export interface SupportHeadProps {
  record: SubscriptionRecord;
  subscription: Subscription;
  charge: ReturnType<typeof useCharge>;
}

/** The campaign, how long it has been supported, and in words what is not as usual. */
export function SupportHead({ record, subscription, charge }: SupportHeadProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency } = record;
  const paid = subscription.charges.filter(isPaid);
  const sum = paid.reduce((all, one) => all + one.amount_minor - one.amount_refunded_minor, 0);
  const state = useStateText(subscription, charge);
  const isOver = subscription.status === 'canceled' || subscription.status === 'expired';
  return (
    <CampaignHead
      record={record}
      state={state}
      action={isOver && <ToPledge record={record}>{t('subscription.again')}</ToPledge>}
    >
      {subscription.anchor_day && paid.length > 0 && (
        <p className={classes.since}>
          {t('subscription.since', {
            month: formatMonthName(language, subscription.anchor_day),
            year: subscription.anchor_day.slice(0, 4),
            count: paid.length,
            sum: formatMoney(language, sum / 100, { cents: true, currency }),
          })}
        </p>
      )}
    </CampaignHead>
  );
}

/** One that the payment service does not know: it was refused before its first payment began, so that it may be begun anew. */
export function NotBegun({ record }: { record: SubscriptionRecord }) {
  const { t } = useTranslation();
  const isOpen = record.status === 'created';
  return (
    <div className={`tk-container ${classes.root}`}>
      <div>
        <CampaignHead
          record={record}
          state={t(isOpen ? 'subscription.state.created' : 'subscription.state.expired')}
          action={<ToPledge record={record}>{t(isOpen ? 'thanks.pay' : 'subscription.again')}</ToPledge>}
        />
      </div>
    </div>
  );
}

interface CampaignHeadProps {
  record: SubscriptionRecord;
  state: string | undefined;
  action?: ReactNode;
  children?: ReactNode;
}

/** The way back, the campaign, what is not as usual and what can be done about it. */
function CampaignHead({ record: { campaign }, state, action, children }: CampaignHeadProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  return (
    <>
      <BackLink to={isSignedIn ? paths.mySubscriptions(language) : paths.campaign(language, named)}>
        {isSignedIn ? t('subscription.list') : t('pledge.toCampaign')}
      </BackLink>
      <div className={classes.head}>
        <Picture
          name={campaign.project_pic}
          alt=""
          ratio={176 / 110}
          widths={[176, 352]}
          sizes="(min-width: 40em) 11rem, 5.25rem"
          shape="thumb"
          isFirst
        />
        <div>
          <h1 className={classes.title}>
            <Link to={paths.campaign(language, named)}>{campaign.title}</Link>
          </h1>
          {children}
        </div>
      </div>
      <div role="status">{state && <p className={classes.state}>{state}</p>}</div>
      {action}
    </>
  );
}

/** The way to support the campaign with the same amount, while it takes support. */
function ToPledge({ record, children }: { record: SubscriptionRecord; children: string }) {
  const language = useLanguage();
  const { campaign } = record;
  if (!takesPledges(campaign)) return null;
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  return (
    <Button
      component={Link}
      variant="light"
      className={classes.again}
      to={paths.pledgeAmount(language, named, record.amount)}
    >
      {children}
    </Button>
  );
}

/** What is not as usual, in words; undefined if all is. */
function useStateText(
  subscription: Subscription,
  { isWaiting, isConfirming }: SupportHeadProps['charge'],
): string | undefined {
  const { t } = useTranslation();
  const language = useLanguage();
  const { status, meta, ends_on: endsOn, paused_until: pausedUntil, next_charge: next } = subscription;
  if (status === 'canceled')
    return [
      t('subscription.state.canceled'),
      meta.ended_because && t(`subscription.because.${meta.ended_because}`),
    ]
      .filter(Boolean)
      .join(' ');
  if (status === 'expired') return t('subscription.state.expired');
  if (subscription.on_hold) return t('hold.supporter');
  if (isWaiting) return t(isConfirming ? 'subscription.state.processing' : 'subscription.state.charging');
  if (endsOn) return t('subscription.state.ending', { day: formatDay(language, endsOn) });
  const until = pausedUntil ?? next?.day;
  if (status === 'paused' && until)
    return t('subscription.state.paused', { day: formatDate(language, until) });
  return undefined;
}
