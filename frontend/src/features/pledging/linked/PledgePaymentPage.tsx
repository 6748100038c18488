import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content, useCampaignQuery, type Campaign } from '../../../api/content';
import { paymentsApi, type Payment } from '../../../api/payments';
import { fromCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { useLinkToken } from '../../../ui/linkToken';
import { idParam, notFound, type PageLoaderArgs } from '../../../ui/page';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useAppForm } from '../../../ui/useAppForm';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { useErrorText } from '../../../i18n/errorText';
import { failureIn } from '../flow/failures';
import { isBusy } from '../flow/machine';
import type { CardFormStatus } from '../flow/ports';
import { meansOf } from '../form/order';
import { initialValues, type PledgeValues } from '../form/values';
import { methods } from '../methods';
import { moneyOfCents } from '../money';
import { PaymentSection } from '../PaymentSection';
import { Reason } from '../Reason';
import { useFlow } from '../useFlow';
import { useMethodChoice } from '../useMethodChoice';
import { offeredOf, useOffered } from '../useOffered';
import { keepLinked, partsOf } from './linked';
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
  const { pathname } = useLocation();
  const token = useLinkToken();
  const campaign = useCampaignQuery({ campaignId, language }).currentData?.campaign;
  usePageTitle(t('pledge.linked.title'));
  const parts = partsOf(token);
  if (parts) keepLinked(parts.pledgeId, parts.orderToken, { path: pathname, token });
  return (
    <div className={`tk-container ${classes.root}`}>
      {!campaign ? (
        <Waiting />
      ) : parts ? (
        <Linked key={parts.pledgeId} pledgeId={parts.pledgeId} campaign={campaign} />
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

function Waiting() {
  return (
    <>
      <Title />
      <LinesSkeleton lines={6} />
    </>
  );
}

function Linked({ pledgeId, campaign }: { pledgeId: string; campaign: Campaign }) {
  const errorText = useErrorText();
  const { currentData, error, refetch } = paymentsApi.endpoints.pledgePayment.useQuery({ pledgeId });
  // The browser may know that it paid before the payment service has heard of it.
  const [isPaidHere, setPaidHere] = useState(false);
  const which = currentData && (saidOf(currentData.payment) ?? (isPaidHere ? 'settling' : undefined));
  usePolling(which === 'settling', () => void refetch());
  if (isApiError(error) && error.http === 403) return <Told campaign={campaign} which="foreign" />;
  if (isApiError(error) && error.status === 'not_found') return <Told campaign={campaign} which="over" />;
  if (!currentData && error)
    return (
      <>
        <Title />
        <ErrorState onRetry={() => void refetch()}>
          {isApiError(error) && errorText(error, 'PledgePaymentPage')}
        </ErrorState>
      </>
    );
  if (!currentData) return <Waiting />;
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
      />
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

interface PayProps {
  pledgeId: string;
  campaign: Campaign;
  cents: number;
  /** Something has become of the payment, or may have; `isPaid`: it was made. */
  onDone: (isPaid: boolean) => void;
}

function Pay({ pledgeId, campaign, cents, onDone }: PayProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const campaignId = campaign.campaign_id;
  const [dropped, setDropped] = useState<readonly string[]>([]);
  const drop = (cardId: string) => setDropped((before) => [...before, cardId]);
  const flow = useFlow(campaignId, false, drop, pledgeId);
  const all = useOffered({ campaignId, cents, currency: campaign.currency, isMonthly: false, dropped });
  // An account needs its holder's data and a way back of its own; kept cards are their holder's, who need not be who has the link.
  const offered = { ...all, methods: all.methods.filter(({ method }) => method !== 'bank'), cards: [] };
  const [cardStatus, setCardStatus] = useState<CardFormStatus>('loading');
  const reason = useRef<HTMLElement>(null);
  const { formProps, ...form } = useAppForm<PledgeValues>({
    initialValues: initialValues([], null, undefined),
    rules: ({ method }) => (method === '' ? { method: { key: 'choose' } } : {}),
    onSubmit: (typed) => {
      const means = meansOf(typed, offeredOf(offered, typed.method)?.provider ?? 'stripe', false);
      if (!means) return;
      const newPledge = {
        amount: fromCents(cents),
        reward_id: null,
        pledge_meta: { email: '', first_name: '', last_name: '', language },
      };
      flow.pay({ campaignId, newPledge, ...means }, undefined);
    },
  });
  const gone = useMethodChoice(form, offered, false);
  const { method } = form.values;
  const { state } = flow;
  const status = failureIn(state)?.error.status;
  const { ask } = all;
  useEffect(() => {
    if (status === 'payment_method_unsupported' || status === 'configuration_error') ask();
  }, [status, ask]);
  const isOver = state.name === 'succeeded' || state.name === 'unknown' || status === 'pledge_not_payable';
  const latestDone = useRef(onDone);
  useEffect(() => {
    latestDone.current = onDone;
  });
  const { submissions } = flow;
  useEffect(() => {
    if (state.name === 'succeeded') submissions.settled(pledgeId);
    if (isOver) latestDone.current(state.name === 'succeeded');
  }, [isOver, state.name, submissions, pledgeId]);
  const provider = offeredOf(offered, method)?.provider ?? 'stripe';
  const isReady = method === '' || methods[method].isReady(provider, cardStatus);
  const sum = moneyOfCents(language, cents, campaign.currency);
  const failure = failureIn(state);
  return (
    <form {...formProps}>
      <Title />
      <p className={classes.lead}>{t('pledge.linked.lead')}</p>
      <p className={classes.sum}>
        <span>{campaign.title}</span> <b>{sum}</b>
      </p>
      <PaymentSection
        campaign={campaign}
        form={form}
        offered={offered}
        gone={gone}
        card={flow.card}
        ownCard={flow.ownCard}
        bank={{ accounts: { list: [], isAsking: false, canAsk: false }, asked: undefined }}
        cents={cents}
        currency={campaign.currency}
        isSignedIn={false}
        onCardRemoved={drop}
        onCardStatus={setCardStatus}
      />
      {!(offered.state === 'known' && offered.methods.length === 0) && (
        <div className={classes.pay}>
          {failure && <Reason ref={reason} failure={failure} isMonthly={false} />}
          <Button
            type={method === '' ? 'button' : 'submit'}
            onClick={method === '' ? () => form.focusField('method') : undefined}
            size="xl"
            fullWidth
            loading={isBusy(state)}
            disabled={offered.state !== 'known' || !isReady}
          >
            {method === '' ? t('pledge.chooseMethod') : t('pledge.pay', { sum })}
          </Button>
        </div>
      )}
    </form>
  );
}
