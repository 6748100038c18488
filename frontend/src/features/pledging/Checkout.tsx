import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useNavigate } from 'react-router-dom';
import type { Campaign, Reward } from '../../api/content';
import { selectUser } from '../../api/session';
import { toCents } from '../../domain/amounts';
import { paths } from '../../domain/paths';
import { isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
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
import {
  accountOf,
  draftOf,
  initialValues,
  lacksAddedCost,
  orderOf,
  rewardOfDraft,
  sumOf,
  type PledgeForm,
  type PledgeValues,
} from './form/values';
import { KeptDetails } from './KeptDetails';
import { OnceMore } from './OnceMore';
import { PayBar } from './PayBar';
import { methods } from './methods';
import { moneyOfCents } from './money';
import { withoutOwnReservation } from './ownReservation';
import { PaymentSection } from './PaymentSection';
import { PaySubmit } from './PaySubmit';
import { Reason } from './Reason';
import { RewardSection } from './RewardSection';
import { readDraft, rememberedHidden, rememberHidden, saveDraft } from './storage';
import { Summary } from './Summary';
import { useChangedReward } from './useChangedReward';
import { useChosenReward } from './useChosenReward';
import { useFlow } from './useFlow';
import { useOnce } from './useOnce';
import { UnknownPayment } from './UnknownPayment';
import { usePaymentCodeLoaded } from './usePaymentCodeLoaded';
import { useFlowResult } from './useFlowResult';
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
  const flow = useFlow(campaignId, isMonthly);
  const once = useOnce(flow);
  const reason = useRef<HTMLElement>(null);

  const [earlierSubmission] = useState(() => flow.submissions.current());
  const offered = isMonthly ? levelsOf(rewards) : withoutOwnReservation(rewards, earlierSubmission);
  const chosen = useChosenReward(offered, isMonthly ? undefined : choice);
  const rewardOf = (typed: PledgeValues) => (isMonthly ? levelAt(offered, choice, typed) : chosen.reward);
  const money = (cents: number) => moneyOfCents(language, cents, campaign.currency);
  const contextOf = (typed: PledgeValues) => ({
    campaignId,
    reward: rewardOf(typed),
    language,
    isSignedIn: user !== null,
  });

  const [draft] = useState(() => readDraft(campaignId));
  const { formProps, ...form } = useAppForm<PledgeValues>({
    initialValues: useState(() => {
      const initial = initialValues(rewards, user, { ...rememberedHidden(user?.user_id), ...draft });
      return isMonthly ? { ...initial, ...choiceAt(initial, offered, choice) } : initial;
    })[0],
    rules: (typed) => pledgeFaults(typed, { ...contextOf(typed), money }),
    onSubmit: (typed) => {
      if (chosen.problem) {
        form.focusField('reward');
        return;
      }
      rememberHidden(user?.user_id, typed);
      const context = contextOf(typed);
      once.pay(orderOf(typed, context), accountOf(typed, context.isSignedIn));
    },
  });
  const { values } = form;
  const reward = rewardOf(values);
  const [cardStatus, setCardStatus] = useState<CardFormStatus>('loading');
  const isReady = usePaymentCodeLoaded(isMonthly) && methods[values.method].isReady(cardStatus);
  const hasLoadFailed = useLoadFailures().length > 0 || cardStatus === 'failed';
  const sum = sumOf(values, reward);
  // No sum is shown for a quantity that cannot be ordered.
  const fault = reward && quantityFault(values.quantity, reward);
  // Nor before it is known what pick-up or post adds.
  const isOpen = reward !== undefined && lacksAddedCost(values, reward);
  const chosenSum = sum.totalCents > 0 && !fault && !isOpen ? money(sum.totalCents) : undefined;

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
  const ways = useWaysOn(flow, form, reward, money);
  useChoiceOnBack(isMonthly, form, offered, choice);

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
        if (isBusy(flow.state) || !isReady) return;
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
            <LevelSection campaign={campaign} levels={offered} level={reward} form={form} />
          ) : (
            <RewardSection
              campaign={campaign}
              rewards={offered}
              chosen={chosen}
              form={form}
              onChoose={choose}
            />
          )}
          <ContactSection form={form} user={user} isMonthly={isMonthly} />
          <AddressSection form={form} reward={reward} isSignedIn={user !== null} />
          <PaymentSection
            form={form}
            card={flow.card}
            cents={sum.totalCents}
            currency={campaign.currency}
            isMonthly={isMonthly}
            onCardStatus={setCardStatus}
          >
            {cardFailure && <Reason ref={reason} failure={cardFailure} isMonthly={isMonthly} />}
          </PaymentSection>
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
        >
          {doubt ? (
            <UnknownPayment
              doubt={doubt}
              sum={money(toCents(doubt.amount))}
              asking={flow.asking}
              button={payButton}
            />
          ) : (
            <PaySubmit
              campaign={campaign}
              form={form}
              reward={reward}
              isRewardChanged={isRewardChanged}
              state={flow.state}
              isReady={isReady}
              hasLoadFailed={hasLoadFailed}
              sum={chosenSum}
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
      {!ways && (
        <PayBar
          // Its button, which the bar stands in for, is another one then.
          key={doubt ? 'asking' : 'paying'}
          asking={doubt && flow.asking}
          sum={doubt ? money(toCents(doubt.amount)) : chosenSum}
          fault={fault}
          isBusy={isBusy(flow.state)}
          isReady={isReady}
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
  return nextStepOf(state.failure.error.status).focus === 'card' ? state.failure : undefined;
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
