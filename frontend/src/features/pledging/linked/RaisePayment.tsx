import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useSelector } from 'react-redux';
import { isApiError } from '../../../api/apiError';
import type { Campaign } from '../../../api/content';
import { paymentsApi, type Payment } from '../../../api/payments';
import { useRaiseQuery, type Raise } from '../../../api/pledging';
import { selectUser } from '../../../api/session';
import { toCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatTime } from '../../../i18n/format';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { Unread } from '../../../ui/Unread';
import { usePolling } from '../../../ui/usePolling';
import { Pay } from './Pay';
import { linkedOf } from './linked';
import { useSettled } from './useSettled';
import classes from './PledgePaymentPage.module.css';
import { RewardTitle } from '../../../ui/RewardTitle';

export interface RaisePaymentProps {
  raiseId: string;
  campaign: Campaign;
}

/** Pays what a change of a pledge comes to more. The pledge is changed when that is paid, and stays what it is until then. */
export function RaisePayment({ raiseId, campaign }: RaisePaymentProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useRaiseQuery({ raiseId, language });
  const { currentData, error, refetch } = call;
  // The browser may know that it paid, or may have, before the content service has heard of it.
  const [sent, setSent] = useState<'paid' | 'unknown'>();
  const raise = currentData?.raise;
  // A payment page may have taken it, in another tab or browser; asking has the payment service look. Before one was begun
  // there is nothing to ask about.
  const { currentData: begun } = paymentsApi.endpoints.pledgePayment.useQuery(
    { pledgeId: raiseId },
    { skip: raise?.status !== 'awaiting_payment' },
  );
  const isTaken = begun !== undefined && !isToPay(begun.payment);
  const which = raise && saidOf(raise, sent ?? (isTaken ? 'paid' : undefined));
  usePolling(which === 'settling', () => void refetch());
  const isNone = isApiError(error) && error.status === 'not_found';
  useSettled(campaign.campaign_id, raiseId, isNone || (raise !== undefined && saidOf(raise) !== undefined));
  if (isApiError(error) && (error.http === 403 || error.http === 401))
    return <Told campaign={campaign} raiseId={raiseId} which="foreign" />;
  if (isNone) return <Told campaign={campaign} raiseId={raiseId} which="over" />;
  if (!raise)
    return (
      <>
        <Title />
        <Unread of={call} where="RaisePayment" lines={6} />
      </>
    );
  if (which === 'settling' && sent === 'unknown' && !isTaken && raise.status !== 'processing')
    return (
      <Told campaign={campaign} raiseId={raiseId} which="unknown" raise={raise}>
        {/* The form asks what has become of the payment before it can be paid again. */}
        <Button variant="light" onClick={() => setSent(undefined)}>
          {t('pledge.unknown.askNow')}
        </Button>
      </Told>
    );
  if (which) return <Told campaign={campaign} raiseId={raiseId} which={which} raise={raise} />;
  return (
    <AppMantineProvider>
      <Pay
        pledgeId={raiseId}
        campaign={campaign}
        cents={toCents(raise.amount)}
        onDone={(isPaid) => {
          setSent(isPaid ? 'paid' : 'unknown');
          void refetch();
        }}
      >
        <Summary raise={raise} />
      </Pay>
    </AppMantineProvider>
  );
}

/** Whether money is still to be paid, or could be: what has come to nothing is told by the change itself. */
const isToPay = ({ status }: Payment) =>
  status !== 'processing' && status !== 'succeeded' && status !== 'partly_refunded' && status !== 'disputed';

/** What is said of a change that nobody is to pay now; undefined while it waits. */
function saidOf({ status }: Raise, sent?: 'paid' | 'unknown'): 'paid' | 'settling' | 'over' | undefined {
  switch (status) {
    case 'created':
    case 'awaiting_payment':
      return sent && 'settling';
    case 'processing':
      return 'settling';
    case 'paid':
      return 'paid';
    case 'failed':
    case 'expired':
    case 'refunded':
    case 'withdrawn':
      return 'over';
    default:
      return status satisfies never;
  }
}

function Title() {
  const { t } = useTranslation();
  return <h1 className="tk-form-title">{t('pledge.change.title')}</h1>;
}

/** What the pledge is then, what is charged now, and what holds until it is paid. */
function Summary({ raise }: { raise: Raise }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, lines } = raise;
  const sum = (amount: number) => formatMoney(language, amount, { cents: true, currency });
  return (
    <>
      <Title />
      <p className={classes.lead}>
        {t('pledge.change.lead', { time: formatTime(language, raise.payable_until) })}
      </p>
      <dl className={classes.sums}>
        {lines.length > 1 &&
          lines.map(({ label, amount }, at) => (
            <div key={at}>
              <dt>
                {at === 0 && raise.reward_title ? (
                  <RewardTitle title={label} language={raise.reward_language} />
                ) : (
                  label
                )}
              </dt>
              <dd>{sum(amount)}</dd>
            </div>
          ))}
        <div>
          <dt>{t('pledge.change.then')}</dt>
          <dd>{sum(raise.to_amount)}</dd>
        </div>
        <div>
          <dt>{t('pledge.change.was')}</dt>
          <dd>{sum(raise.from_amount)}</dd>
        </div>
      </dl>
      <p className={classes.sum}>
        <span>{t('pledge.change.now')}</span> <b>{sum(raise.amount)}</b>
      </p>
      <p className={classes.told}>{t('pledge.change.methods')}</p>
    </>
  );
}

interface ToldProps {
  campaign: Campaign;
  raiseId: string;
  which: 'paid' | 'settling' | 'unknown' | 'over' | 'foreign';
  raise?: Raise;
  children?: ReactNode;
}

/** How the change stands, when there is nothing to pay. */
function Told({ campaign, raiseId, which, raise, children }: ToldProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSignedIn = useSelector(selectUser) !== null;
  const opened = linkedOf(raiseId)?.opened;
  const sum = raise && formatMoney(language, raise.to_amount, { cents: true, currency: raise.currency });
  // Somebody without an account has the pledge's page only if they came from there; their mail leads to it, too.
  const [to, label] = isSignedIn
    ? ([paths.myPledges(language), 'pledge.change.toMine'] as const)
    : opened
      ? ([`${paths.pledgeLink(language)}#token=${opened}`, 'pledge.change.toPledge'] as const)
      : ([
          paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug }),
          'pledge.linked.toCampaign',
        ] as const);
  return (
    <div role="status">
      <h1 className="tk-form-title">{t(`pledge.change.${which}Title`)}</h1>
      <p className={classes.told}>{t(`pledge.change.${which}Text`, { sum })}</p>
      <Button component={Link} variant="light" to={to}>
        {t(label)}
      </Button>{' '}
      {children}
    </div>
  );
}
