import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../api/extra';
import type { Campaign, Reward } from '../../api/content';
import { selectUser, type LocalUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import type { Fault } from '../../domain/rules';
import { isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { platformDay } from '../../i18n/format';
import { useAppForm, type AppForm } from '../../ui/useAppForm';
import { useLoadFailures } from '../../ui/useLoadFailures';
import { isBusy } from './flow/machine';
import type { CardFormStatus } from './flow/ports';
import { draftOf, rewardOfDraft } from './form/draft';
import { choiceAt, levelAt, levelsOf } from './form/levels';
import { accountOf, meansOf, purchaseOf } from './form/order';
import { pledgeFaults, quantityFault, totalFault } from './form/rules';
import { lacksAddedCost, sumOf, type Sum } from './form/sums';
import { initialValues, type PledgeForm, type PledgeValues } from './form/values';
import { moneyOfCents } from './money';
import { withoutOwnReservation } from './ownReservation';
import { readDraft, rememberedHidden, rememberHidden, saveDraft } from './storage';
import { useChangedReward } from './useChangedReward';
import { useCheckoutPayment, type CheckoutPayment } from './useCheckoutPayment';
import { useChosenReward, type ChosenReward } from './useChosenReward';
import { useFlow, type Flow } from './useFlow';
import { useFlowResult } from './useFlowResult';
import { offeredOf, useOffered, type Offered } from './useOffered';
import { useOnce } from './useOnce';
import { useWaysOn, type WaysOn } from './useWaysOn';

export interface CheckoutOptions {
  campaign: Campaign;
  rewards: readonly Reward[];
  /** A reward, or of a monthly campaign an amount; undefined for a pledge without a reward. */
  choice: number | undefined;
  /** There is nothing but an amount to choose, whatever a draft says. */
  isAmountOnly?: boolean;
  /** Resolves once they have been read, or could not be. */
  reloadRewards: () => Promise<{ isSuccess: boolean }>;
}

/** A pledge that is being filled in and paid, for whatever shows it: the page, or the dialog. */
export interface CheckoutState {
  campaign: Campaign;
  isMonthly: boolean;
  user: LocalUser | null;
  form: PledgeForm;
  /** Of the form's element. */
  formProps: AppForm<PledgeValues>['formProps'];
  flow: Flow;
  once: ReturnType<typeof useOnce>;
  rewards: readonly Reward[];
  chosen: ChosenReward;
  reward: Reward | undefined;
  isRewardChanged: boolean;
  sum: Sum;
  /** Formatted; undefined until there is one. */
  chosenSum: string | undefined;
  fault: Fault | undefined;
  money: (cents: number) => string;
  offered: Offered;
  needsPayer: boolean;
  payment: CheckoutPayment;
  hasLoadFailed: boolean;
  ways: WaysOn | undefined;
  /** YYYY-MM-DD. */
  today: string;
  onCardStatus: (status: CardFormStatus) => void;
  onCardRemoved: (cardId: string) => void;
  /** The text that says why nothing was paid. */
  reason: RefObject<HTMLElement | null>;
}

/** Fills in and pays a pledge: its form, what is offered, the sum, and the submission. */
export function useCheckout(options: CheckoutOptions): CheckoutState {
  const { campaign, rewards, choice, isAmountOnly = false, reloadRewards } = options;
  const language = useLanguage();
  const user = useSelector(selectUser);
  const campaignId = campaign.campaign_id;
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
    if (isMonthly) return { ...first, method: 'card', ...choiceAt(first, offeredRewards, choice) };
    return isAmountOnly ? { ...first, without_reward: true } : first;
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
      const provider = offeredOf(offered, typed.method)?.provider ?? 'stripe';
      const means = meansOf(typed, provider, context.isSignedIn);
      if (!means) return;
      rememberHidden(user?.user_id, typed);
      once.pay({ ...purchaseOf(typed, context), ...means }, accountOf(typed, context.isSignedIn));
    },
  });
  const { values } = form;
  const reward = rewardOf(values);
  const sum = sumOf(values, reward);
  const [cardStatus, setCardStatus] = useState<CardFormStatus>('loading');
  // No sum is shown that cannot be ordered.
  const fault = (reward && quantityFault(values.quantity, reward)) ?? totalFault(sum.totalCents, money);
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
  const hasLoadFailed = useLoadFailures().length > 0 || cardStatus === 'failed';

  // Saved on every change, so that leaving loses nothing that may be kept.
  useEffect(() => saveDraft(campaignId, draftOf(values, reward)), [campaignId, values, reward]);
  usePrefilledName(user, form);
  const isRewardChanged = useChangedReward(reward, form, rewardOfDraft(draft));
  useFlowResult({
    flow,
    form,
    campaign: { id: campaignId, slug: campaign.slug },
    isMonthly,
    reward,
    lastName: values.last_name,
    reloadRewards,
    onRewardRefused: chosen.onRefused,
    onRewardsRead: chosen.onReadAgain,
    reason,
  });
  const ways = useWaysOn(flow, isMonthly, form, reward, money);

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    // Enter in a field submits too, even while the button is disabled.
    event.preventDefault();
    if (isBusy(flow.state) || !payment.isReady || payment.isImpossible) return;
    flow.report({ type: 'formRefused' });
    formProps.onSubmit(event);
  };
  return {
    campaign,
    isMonthly,
    user,
    form,
    formProps: { ...formProps, onSubmit },
    flow,
    once,
    rewards: chosen.rewards,
    chosen,
    reward,
    isRewardChanged,
    sum,
    chosenSum,
    fault,
    money,
    offered,
    needsPayer: context.needsPayer,
    payment,
    hasLoadFailed,
    ways,
    today,
    onCardStatus: setCardStatus,
    onCardRemoved: drop,
    reason,
  };
}

/** Fills in the name of a user who signs in during the checkout, unless a name was typed. */
function usePrefilledName(user: LocalUser | null, form: PledgeForm) {
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
