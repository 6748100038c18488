import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import type { Campaign, Reward } from '../../api/content';
import { selectUser } from '../../api/session';
import { toCents } from '../../domain/amounts';
import { paths } from '../../domain/paths';
import { readNow } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';
import { isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { platformDay } from '../../i18n/format';
import { ArrowLeftIcon } from '../../ui/icons';
import { keepFocus } from '../../ui/page';
import { useAppForm } from '../../ui/useAppForm';
import { useLoadFailures } from '../../ui/useLoadFailures';
import { AddressSection } from './AddressSection';
import classes from './Checkout.module.css';
import { ContactSection } from './ContactSection';
import { choiceAt, levelAt, levelsOf } from './form/levels';
import { LevelSection, useChoiceOnBack } from './LevelSection';
import type { Failure } from './flow/failures';
import { isBusy, type FlowState } from './flow/machine';
import { nextStepOf } from './flow/nextSteps';
import type { CardFormStatus } from './flow/ports';
import { pledgeFaults, quantityFault } from './form/rules';
import { PayerSection } from './bank/PayerSection';
import {
  accountOf,
  draftOf,
  initialValues,
  lacksAddedCost,
  meansOf,
  purchaseOf,
  rewardOfDraft,
  sumOf,
  type PledgeForm,
  type PledgeValues,
} from './form/values';
import { KeptDetails } from './KeptDetails';
import { OnceMore } from './OnceMore';
import { PayBar } from './PayBar';
import { moneyOfCents } from './money';
import { withoutOwnReservation } from './ownReservation';
import { MonthlyPaymentSection, PaymentSection } from './PaymentSection';
import { PaySubmit } from './PaySubmit';
import { Reason } from './Reason';
import { RewardSection } from './RewardSection';
import { readDraft, rememberedHidden, rememberHidden, saveDraft } from './storage';
import { Summary } from './Summary';
import { useCheckoutPayment } from './useCheckoutPayment';
import { useChangedReward } from './useChangedReward';
import { useChosenReward } from './useChosenReward';
import { useFlow } from './useFlow';
import { useOnce } from './useOnce';
import { UnknownPayment } from './UnknownPayment';
import { useFlowResult } from './useFlowResult';
import { offeredOf, useOffered } from './useOffered';
import { useWaysOn } from './useWaysOn';

export interface CheckoutProps {
  campaign: Campaign;
  rewards: readonly Reward[];
  /** From the path: a reward, or of a monthly campaign an amount; undefined for a pledge without a reward. */
  choice: number | undefined;
  reloadRewards: () => void;
}

/** The form of a pledge: its sections, the summary and the pay button. */
export function Checkout({ campaign, rewards, choice, reloadRewards }: CheckoutProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const user = useSelector(selectUser);
  const payButton = useRef<HTMLButtonElement>(null);
  const campaignId = campaign.campaign_id;
  const named = { id: campaignId, slug: campaign.slug };
  const isMonthly = isRecurring(campaign.stage);
  const reason = useRef<HTMLElement>(null);

  const [dropped, setDropped] = useState<readonly string[]>([]);
  const drop = (cardId: string) => setDropped((before) => [...before, cardId]);
  const flow = useFlow(campaignId, isMonthly, drop);
  const once = useOnce(flow);
  const [earlierSubmission] = useState(() => flow.submissions.current());
  const offeredRewards = isMonthly ? levelsOf(rewards) : withoutOwnReservation(rewards, earlierSubmission);
  const chosen = useChosenReward(offeredRewards, isMonthly ? undefined : choice);
  const rewardOf = (typed: PledgeValues) =>
    isMonthly ? levelAt(offeredRewards, choice, typed) : chosen.reward;
  const money = (cents: number) => moneyOfCents(language, cents, campaign.currency);
  const [draft] = useState(() => readDraft(campaignId));
  const [initial] = useState((): PledgeValues => {
    const first = initialValues(rewards, user, { ...rememberedHidden(user?.user_id), ...draft });
    return isMonthly ? { ...first, method: 'card', ...choiceAt(first, offeredRewards, choice) } : first;
  });
  const dispatch = useAppDispatch();
  const [today] = useState(() => platformDay(dispatch(readNow())));
  const [askedCents, setAskedCents] = useState(() => sumOf(initial, rewardOf(initial)).totalCents);
  const offered = useOffered({
    campaignId,
    cents: askedCents,
    currency: campaign.currency,
    isMonthly,
    dropped,
  });
  const contextOf = (typed: PledgeValues) => ({
    campaignId,
    reward: rewardOf(typed),
    language,
    isSignedIn: user !== null,
    needsPayer: offeredOf(offered, typed.method)?.needs_payer ?? false,
  });
  const { formProps, ...form } = useAppForm<PledgeValues>({
    initialValues: initial,
    rules: (typed) => pledgeFaults(typed, { ...contextOf(typed), today, money }),
    onSubmit: (typed) => {
      if (chosen.problem) {
        form.focusField('reward');
        return;
      }
      const context = contextOf(typed);
      const means = meansOf(
        typed,
        offeredOf(offered, typed.method)?.provider ?? 'stripe',
        context.isSignedIn,
      );
      if (!means) return;
      rememberHidden(user?.user_id, typed);
      once.pay({ ...purchaseOf(typed, context), ...means }, accountOf(typed, context.isSignedIn));
    },
  });
  const { values } = form;
  const reward = rewardOf(values);
  const sum = sumOf(values, reward);
  const [cardStatus, setCardStatus] = useState<CardFormStatus>('loading');
  // No sum is shown for a quantity that cannot be ordered.
  const fault = reward && quantityFault(values.quantity, reward);
  // Nor before it is known what pick-up or post adds.
  const isOpen = reward !== undefined && lacksAddedCost(values, reward);
  const chosenSum = sum.totalCents > 0 && !fault && !isOpen ? money(sum.totalCents) : undefined;

  if (askedCents !== sum.totalCents) setAskedCents(sum.totalCents);
  const context = contextOf(values);
  const payment = useCheckoutPayment({
    flow,
    form,
    offered,
    cardStatus,
    purchase: purchaseOf(values, context),
    hasSum: chosenSum !== undefined,
    isSignedIn: context.isSignedIn,
    isMonthly,
    isUnpayable: campaign.is_unpayable === true,
    today,
  });
  const { isReady } = payment;
  const hasLoadFailed = useLoadFailures().length > 0 || cardStatus === 'failed';

  // Saved on every change, so that leaving the page loses nothing and needs no confirmation.
  useEffect(() => saveDraft(campaignId, draftOf(values, reward)), [campaignId, values, reward]);
  usePrefilledName(user, form);
  const isRewardChanged = useChangedReward(reward, form, rewardOfDraft(draft));
  useFlowResult({
    flow,
    form,
    campaign: named,
    isMonthly,
    reward,
    lastName: values.last_name,
    reloadRewards,
    onRewardRefused: chosen.onRefused,
    reason,
  });
  const { state } = flow;
  const doubt = state.name === 'unknown' ? state.doubt : undefined;
  const cardFailure = correctableCard(state);
  const ways = useWaysOn(flow, isMonthly, form, reward, money);
  const cardReason = cardFailure && <Reason ref={reason} failure={cardFailure} isMonthly={isMonthly} />;
  const cardProps = {
    campaign,
    card: flow.card,
    cents: sum.totalCents,
    currency: campaign.currency,
    onCardStatus: setCardStatus,
  };
  useChoiceOnBack(isMonthly, form, offeredRewards, choice);

  const choose = (id: number | undefined) => {
    form.setValue('without_reward', id === undefined);
    form.setError('reward', null);
    const address =
      id === undefined ? paths.pledge(language, named) : paths.pledgeReward(language, named, id);
    void navigate(address, { state: keepFocus, preventScrollReset: true });
  };

  return (
    <form
      {...formProps}
      className={`tk-container ${classes.root}`}
      onSubmit={(event) => {
        // Enter in a field submits too, even while the button is disabled.
        event.preventDefault();
        if (isBusy(flow.state) || !isReady || payment.isImpossible) return;
        flow.report({ type: 'formRefused' });
        formProps.onSubmit(event);
      }}
    >
      <div className={classes.sections}>
        <Link to={paths.campaign(language, named)} className={classes.back}>
          <ArrowLeftIcon size={16} />
          {campaign.title}
        </Link>
        <h1 className={`tk-form-title ${classes.title}`}>{t('pledge.title')}</h1>
        {doubt && <KeptDetails values={values} reward={reward} isMonthly={isMonthly} />}
        {/* Hidden, not removed: the card that was typed is still there if it was not charged. */}
        <div hidden={doubt !== undefined}>
          {isMonthly ? (
            <LevelSection campaign={campaign} levels={offeredRewards} level={reward} form={form} />
          ) : (
            <RewardSection
              campaign={campaign}
              rewards={offeredRewards}
              chosen={chosen}
              form={form}
              onChoose={choose}
            />
          )}
          <ContactSection form={form} user={user} isMonthly={isMonthly} />
          <AddressSection form={form} reward={reward} isSignedIn={user !== null} />
          {context.needsPayer && <PayerSection form={form} />}
          {isMonthly ? (
            <MonthlyPaymentSection {...cardProps}>{cardReason}</MonthlyPaymentSection>
          ) : (
            <PaymentSection
              {...cardProps}
              form={form}
              offered={offered}
              gone={payment.gone}
              ownCard={flow.ownCard}
              onCardRemoved={drop}
              bank={payment.bank}
              isSignedIn={context.isSignedIn}
            >
              {cardReason}
            </PaymentSection>
          )}
        </div>
      </div>
      <aside className={classes.aside} aria-label={t('pledge.summary')}>
        <Summary
          campaign={campaign}
          reward={reward}
          values={values}
          sum={sum}
          fault={fault}
          isUnknown={doubt !== undefined}
          words={payment.words}
          today={today}
        >
          {doubt ? (
            <UnknownPayment
              doubt={doubt}
              sum={money(toCents(doubt.amount))}
              asking={flow.asking}
              button={payButton}
            />
          ) : payment.isImpossible ? null : (
            <PaySubmit
              campaign={campaign}
              form={form}
              reward={reward}
              isRewardChanged={isRewardChanged}
              state={flow.state}
              isReady={isReady}
              hasLoadFailed={hasLoadFailed}
              sum={chosenSum}
              words={payment.words}
              offered={offered}
              button={payButton}
              reason={reason}
              ways={ways}
              onOtherAmount={() => {
                flow.report({ type: 'formRefused' });
                form.focusField(isMonthly || !reward ? 'reward' : 'quantity');
              }}
            />
          )}
        </Summary>
      </aside>
      {!ways && !(payment.isImpossible && !doubt) && (
        <PayBar
          // Its button, which the bar stands in for, is another one then.
          key={doubt ? 'asking' : 'paying'}
          asking={doubt && flow.asking}
          sum={doubt ? money(toCents(doubt.amount)) : chosenSum}
          fault={fault}
          isBusy={isBusy(flow.state)}
          isReady={isReady}
          words={payment.words}
          onChooseMethod={() => form.focusField('method')}
          button={payButton}
        />
      )}
      {once.asked && (
        <OnceMore
          asked={once.asked}
          isMonthly={isMonthly}
          money={(amount) => money(toCents(amount))}
          onConfirm={once.confirm}
          onCancel={once.cancel}
        />
      )}
    </form>
  );
}

/** Why a card was refused whose fields can be corrected, which is said at them. */
function correctableCard(state: FlowState): Failure | undefined {
  if (state.name !== 'awaitingCard') return undefined;
  return nextStepOf(state.failure.error).focus === 'card' ? state.failure : undefined;
}

/** Fills in the name of a user who signs in during the checkout, unless a name was typed. */
function usePrefilledName(user: ReturnType<typeof selectUser>, form: PledgeForm) {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    if (!user) return;
    const { values, setValue } = latest.current;
    if (values.first_name === '') setValue('first_name', user.first_name);
    if (values.last_name === '') setValue('last_name', user.last_name);
  }, [user]);
}
