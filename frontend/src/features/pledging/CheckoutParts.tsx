import type { RefObject } from 'react';
import { toCents } from '../../domain/amounts';
import type { Failure } from './flow/failures';
import type { FlowState } from './flow/machine';
import { nextStepOf } from './flow/nextSteps';
import { OnceMore } from './OnceMore';
import { MonthlyPaymentSection, PaymentSection } from './PaymentSection';
import { PaySubmit } from './PaySubmit';
import { Reason } from './Reason';
import { UnknownPayment } from './UnknownPayment';
import type { CheckoutState } from './useCheckout';

export interface CheckoutPartProps {
  checkout: CheckoutState;
}

export interface CheckoutMethodsProps extends CheckoutPartProps {
  /** See PaymentSection. */
  isFolded?: boolean;
}

/** The ways to pay. */
export function CheckoutMethods({ checkout, isFolded }: CheckoutMethodsProps) {
  const { campaign, isMonthly, form, flow, offered, payment, sum, user, reason } = checkout;
  const failure = correctableCard(flow.state);
  const cardReason = failure && <Reason ref={reason} failure={failure} isMonthly={isMonthly} />;
  const cardProps = {
    campaign,
    card: flow.card,
    cents: sum.totalCents,
    currency: campaign.currency,
    onCardStatus: checkout.onCardStatus,
  };
  if (isMonthly) return <MonthlyPaymentSection {...cardProps}>{cardReason}</MonthlyPaymentSection>;
  return (
    <PaymentSection
      {...cardProps}
      form={form}
      offered={offered}
      gone={payment.gone}
      ownCard={flow.ownCard}
      onCardRemoved={checkout.onCardRemoved}
      bank={payment.bank}
      isSignedIn={user !== null}
      isFolded={isFolded}
    >
      {cardReason}
    </PaymentSection>
  );
}

export interface CheckoutPayProps extends CheckoutPartProps {
  button: RefObject<HTMLButtonElement | null>;
}

/** The pay button; in its place that it is not known whether something was paid. Nothing where nothing can be paid to. */
export function CheckoutPay({ checkout, button }: CheckoutPayProps) {
  const { form, flow, payment, money, reward, isMonthly } = checkout;
  const doubt = doubtOf(flow.state);
  if (doubt)
    return (
      <UnknownPayment doubt={doubt} sum={money(toCents(doubt.amount))} asking={flow.asking} button={button} />
    );
  if (payment.isImpossible) return null;
  return (
    <PaySubmit
      campaign={checkout.campaign}
      form={form}
      reward={reward}
      isRewardChanged={checkout.isRewardChanged}
      state={flow.state}
      isReady={payment.isReady}
      hasLoadFailed={checkout.hasLoadFailed}
      sum={checkout.chosenSum}
      words={payment.words}
      offered={checkout.offered}
      button={button}
      reason={checkout.reason}
      ways={checkout.ways}
      onOtherAmount={() => {
        flow.report({ type: 'formRefused' });
        form.focusField(isMonthly || !reward ? 'reward' : 'quantity');
      }}
    />
  );
}

/** Asks whether the same is to be paid a second time, when it was paid a moment ago. */
export function CheckoutOnce({ checkout: { once, isMonthly, money } }: CheckoutPartProps) {
  if (!once.asked) return null;
  return (
    <OnceMore
      asked={once.asked}
      isMonthly={isMonthly}
      money={(amount) => money(toCents(amount))}
      onConfirm={once.confirm}
      onCancel={once.cancel}
    />
  );
}

/** What is asked because it is not known whether it was paid; undefined when it is known. */
export function doubtOf(state: FlowState) {
  return state.name === 'unknown' ? state.doubt : undefined;
}

/** Why a card was refused whose fields can be corrected, which is said at them. */
function correctableCard(state: FlowState): Failure | undefined {
  if (state.name !== 'awaitingCard') return undefined;
  return nextStepOf(state.failure.error).focus === 'card' ? state.failure : undefined;
}
