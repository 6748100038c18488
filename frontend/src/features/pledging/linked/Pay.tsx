import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { fromCents } from '../../../domain/amounts';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { useAppForm } from '../../../ui/useAppForm';
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
import classes from './PledgePaymentPage.module.css';

interface PayProps {
  pledgeId: string;
  campaign: Campaign;
  cents: number;
  /** What is said above: what is paid. */
  children: ReactNode;
  /** Something has become of the payment, or may have; `isPaid`: it was made. */
  onDone: (isPaid: boolean) => void;
}

/** Pays one pledge, or a change of one, in the ways that are there now, and makes none. */
export function Pay({ pledgeId, campaign, cents, children, onDone }: PayProps) {
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
      {children}
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
