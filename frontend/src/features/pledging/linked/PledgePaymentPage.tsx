import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery, type Campaign } from '../../../api/content';
import { paymentsApi, type Payment } from '../../../api/payments';
import { paths } from '../../../domain/paths';
import { raiseOf } from '../../../domain/raiseToken';
import { useLanguage } from '../../../i18n';
import { BackLink } from '../../../ui/BackLink';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { useLinkToken, type LinkState } from '../../../ui/linkToken';
import { idParam, notFound, type PageLoaderArgs } from '../../../ui/page';
import { Unread, type Read } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { moneyOfCents } from '../money';
import { Pay } from './Pay';
import { RaisePayment } from './RaisePayment';
import { keepLinked, partsOf, tokenAt } from './linked';
import { useSettled } from './useSettled';
import classes from './PledgePaymentPage.module.css';

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  const call = content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false });
  const { error } = await dispatch(call);
  if (isApiError(error) && error.status === 'not_found') throw notFound();
  return null;
}

/** Where a mailed link leads that pays one pledge, and nothing else, in the ways that are there now. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const campaignId = idParam(useParams().campaignId);
  const location = useLocation();
  const { pathname } = location;
  const opened = (location.state as LinkState | null)?.openedToken;
  const given = useLinkToken();
  const token = given !== '' ? given : (tokenAt(pathname) ?? '');
  const call = useCampaignQuery({ campaignId, language });
  const campaign = call.currentData?.campaign;
  usePageTitle(t('pledge.linked.title'));
  const parts = partsOf(token);
  const raise = raiseOf(token);
  if (parts) keepLinked(parts.pledgeId, parts.orderToken, { path: pathname, token });
  if (raise) keepLinked(raise.raiseId, raise.orderToken, { path: pathname, token, opened });
  return (
    <div className={`tk-container ${classes.root}`}>
      {campaign && (
        <BackLink to={paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug })}>
          {campaign.title}
        </BackLink>
      )}
      {!campaign ? (
        <Waiting call={call} />
      ) : parts ? (
        <Linked key={parts.pledgeId} pledgeId={parts.pledgeId} campaign={campaign} />
      ) : raise ? (
        <RaisePayment key={raise.raiseId} raiseId={raise.raiseId} campaign={campaign} />
      ) : (
        <Told campaign={campaign} which="foreign" />
      )}
    </div>
  );
}

function Title() {
  const { t } = useTranslation();
  return <h1 className="tk-form-title">{t('pledge.linked.title')}</h1>;
}

function Waiting({ call }: { call: Read }) {
  return (
    <>
      <Title />
      <Unread of={call} where="PledgePaymentPage" lines={6} />
    </>
  );
}

function Linked({ pledgeId, campaign }: { pledgeId: string; campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = paymentsApi.endpoints.pledgePayment.useQuery({ pledgeId });
  const { currentData, error, refetch } = call;
  // The browser may know that it paid before the payment service has heard of it.
  const [isPaidHere, setPaidHere] = useState(false);
  const which = currentData && (saidOf(currentData.payment) ?? (isPaidHere ? 'settling' : undefined));
  usePolling(which === 'settling', () => void refetch());
  const isNone = isApiError(error) && error.status === 'not_found';
  useSettled(campaign.campaign_id, pledgeId, isNone || which === 'paid' || which === 'over');
  if (isApiError(error) && error.http === 403) return <Told campaign={campaign} which="foreign" />;
  if (isNone) return <Told campaign={campaign} which="over" />;
  if (!currentData) return <Waiting call={call} />;
  if (which) return <Told campaign={campaign} which={which} />;
  return (
    <AppMantineProvider>
      <Pay
        pledgeId={pledgeId}
        campaign={campaign}
        cents={currentData.payment.amount_minor}
        onDone={(isPaid) => {
          setPaidHere(isPaid);
          void refetch();
        }}
      >
        <Title />
        <p className={classes.lead}>{t('pledge.linked.lead')}</p>
        <p className={classes.sum}>
          <span>{campaign.title}</span>{' '}
          <b>{moneyOfCents(language, currentData.payment.amount_minor, campaign.currency)}</b>
        </p>
      </Pay>
    </AppMantineProvider>
  );
}

/** What is said of a payment that nobody is to make any more; undefined while it waits. */
function saidOf({ status }: Payment): 'paid' | 'settling' | 'over' | undefined {
  switch (status) {
    case 'created':
    case 'requires_action':
      return undefined;
    case 'processing':
      return 'settling';
    case 'succeeded':
    case 'partly_refunded':
    case 'disputed':
      return 'paid';
    default:
      return 'over';
  }
}

/** How the pledge stands, when there is nothing to pay. */
function Told({ campaign, which }: { campaign: Campaign; which: 'paid' | 'settling' | 'over' | 'foreign' }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div role="status">
      <h1 className="tk-form-title">{t(`pledge.linked.${which}Title`)}</h1>
      <p className={classes.told}>{t(`pledge.linked.${which}Text`)}</p>
      <Button
        component={Link}
        variant="light"
        to={paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug })}
      >
        {t('pledge.linked.toCampaign')}
      </Button>
    </div>
  );
}
