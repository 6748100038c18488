import { isApiError } from '../../../api/apiError';
import { useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { limitRefusal } from '../../../api/limitRefusal';
import {
  subscriptionPayments,
  useSubscriptionQuery,
  type Subscription as Paying,
  type SubscriptionAnswer,
} from '../../../api/subscriptionPayments';
import type { Subscription } from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { fromCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { HeldOf } from '../../../ui/limit/HeldOf';
import { useChange } from '../../../ui/limit/useChange';
import type { ChosenLevel } from '../../../ui/own/useLevelChoice';
import { Picture } from '../../../ui/Picture';
import { RewardTitle } from '../../../ui/RewardTitle';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import { useNow } from '../../../ui/useNow';
import { ChangeDialog } from './ChangeDialog';
import { levelsIn, levelsOf } from './levels';
import classes from './MySubscriptionsPage.module.css';
import { ChangeWords, StopWords, Sure } from './Sure';
import { usePaying } from './usePaying';

const calls = subscriptionPayments.endpoints;

/** One of the person's own: where it stands, and the ways to change and to stop it. */
export function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const today = platformDay(useNow());
  const [dialog, setDialog] = useState<'change' | 'sureToChange' | 'sureToCancel'>();
  // What was chosen and is not stored: it is not to be typed again.
  const [chosen, setChosen] = useState<ChosenLevel>();
  const { isRunning, make, question, failure, forget } = useChange({
    leaveLabel: t('spendingLimit.otherAmount'),
    onLeave: () => setDialog('change'),
    hasPlace: true,
  });
  const title = useRef<HTMLHeadingElement>(null);
  // The payment service's answer to a change; the list hears of it a moment later.
  const [now, setNow] = useState<Paying>();
  const { subscription_id: subscriptionId, campaign, currency } = subscription;
  const paying = usePaying(subscriptionId, dialog !== undefined);
  const status = now?.status ?? subscription.status;
  const endsOn = now ? now.ends_on : subscription.ends_on;
  const nextOn = now ? now.next_charge?.day : subscription.next_charge_on;
  const { level, next } = now ? levelsOf(now, language) : levelsIn(subscription);
  // The list names the day of a month that waits; the payment service knows the rest, and when it waits no more. It knows as well
  // whether a bank has the first month.
  const payingCall = useSubscriptionQuery(
    { subscriptionId },
    { skip: !subscription.held_on && status !== 'created', refetchOnMountOrArgChange: true },
  );
  const isSettling = payingCall.currentData?.subscription.due?.payment?.status === 'processing';
  // Nobody is told that nothing is paid before it is known. A support that the payment service does not know was never begun.
  const isStatusKnown =
    status !== 'created' ||
    payingCall.currentData !== undefined ||
    (isApiError(payingCall.error) && payingCall.error.status === 'not_found');
  const isHeld = payingCall.currentData
    ? payingCall.currentData.subscription.held !== undefined
    : Boolean(subscription.held_on);
  const isGoing = status === 'active' || status === 'past_due' || status === 'paused';
  const money = (sum: number) => formatMoney(language, sum, { cents: true, currency });
  const ask = (what: typeof dialog) => {
    forget();
    setDialog(what);
  };
  const close = () => ask(undefined);

  /** Keeps what the payment service answers. The dialog closes also when the spending limit is asked about, and stays when it failed. */
  const change = (call: () => PromiseLike<{ data?: SubscriptionAnswer; error?: unknown }>, done: string) =>
    make(async () => {
      const { data, error } = await call();
      if (data) setNow(data.subscription);
      const isAsked = limitRefusal(error) ?? (isApiError(error) && error.status === 'confirmation_required');
      // Another may be open meanwhile.
      if (data || isAsked) setDialog((open) => (open === dialog ? undefined : open));
      return { error };
    }, done);
  const cancel = async () => {
    const isMade = await change(
      () => dispatch(calls.cancelSubscription.initiate({ subscriptionId, subscriptionCancel: {} })),
      t('subscription.break.stopped'),
    );
    // The buttons go with it, also the one to which the dialog would return the focus.
    if (isMade) title.current?.focus({ preventScroll: true });
  };
  const changeLevel = async (level: ChosenLevel) => {
    const amount = fromCents(level.cents);
    const isMade = await change(
      () =>
        dispatch(
          calls.modifySubscriptionLevel.initiate({
            subscriptionId,
            subscriptionLevelChange: { amount, reward_id: level.rewardId },
          }),
        ),
      t('subscription.change.done', { amount: money(amount) }),
    );
    if (isMade) setChosen(undefined);
  };

  return (
    <li className={classes.row}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={132 / 82}
        widths={[132, 264]}
        sizes="8.25rem"
        shape="thumb"
      />
      <div className={classes.words}>
        <h2 ref={title} tabIndex={-1} className={classes.title}>
          <Link to={paths.subscription(language, subscriptionId)}>{campaign.title}</Link>
        </h2>
        <p className={classes.facts}>
          <b>{t('subscription.own.aMonth', { amount: money(level.amount) })}</b>
          {level.reward && (
            <RewardTitle title={level.reward} language={level.language} within={` · ${level.reward}`} />
          )}
        </p>
        {next && isGoing && !endsOn && (
          <p className={classes.facts}>
            <Trans
              i18nKey={
                next.day && next.day > today ? 'subscription.own.changesOn' : 'subscription.own.changesSoon'
              }
              values={{ day: next.day && formatDay(language, next.day), amount: money(next.amount) }}
              components={{ b: <b /> }}
            />
            {next.reward && (
              <RewardTitle title={next.reward} language={next.language} within={` · ${next.reward}`} />
            )}
          </p>
        )}
        <p className={classes.facts}>
          {isStatusKnown && (
            <Chip
              tone={
                status === 'past_due' || isHeld
                  ? 'cloud'
                  : status === 'active' && !endsOn
                    ? 'spruce'
                    : 'plain'
              }
            >
              {isHeld
                ? t('spendingLimit.held')
                : endsOn && isGoing
                  ? t('subscription.own.status.ending', { day: formatDay(language, endsOn) })
                  : t(`subscription.own.status.${isSettling ? 'settling' : status}`)}
            </Chip>
          )}{' '}
          {isGoing && !endsOn && nextOn && t('subscription.own.nextOn', { day: formatDay(language, nextOn) })}
        </p>
      </div>
      <div className={classes.acts}>
        <Button
          component={Link}
          variant="light"
          size="sm"
          to={paths.subscription(language, subscriptionId)}
          aria-label={t('subscription.own.openNamed', { campaign: campaign.title })}
        >
          {t('subscription.own.open')}
        </Button>
        {isGoing && !endsOn && <Ways campaign={campaign.title} onAsk={ask} />}
      </div>
      {(subscription.held_on ?? question ?? failure) && (
        <div className={classes.over}>
          {subscription.held_on && (
            <HeldOf subscriptionId={subscriptionId} currency={currency} call={payingCall} />
          )}
          {question}
          {!dialog && failure && (
            <p role="alert" className={classes.failure}>
              {failure}
            </p>
          )}
        </div>
      )}
      <ChangeDialog
        campaignId={subscription.campaign_id}
        paying={paying}
        isOpen={dialog === 'change'}
        earlier={chosen}
        onClose={close}
        onChosen={(level) => {
          setChosen(level);
          setDialog('sureToChange');
        }}
      />
      <ConfirmDialog
        isOpen={dialog === 'sureToChange' && chosen !== undefined}
        title={t('subscription.own.sure')}
        confirmLabel={t('subscription.change.do', { amount: money(fromCents(chosen?.cents ?? 0)) })}
        cancelLabel={t('subscription.own.no')}
        isConfirming={isRunning}
        isDestructive={false}
        onCancel={close}
        onConfirm={() => chosen && void changeLevel(chosen)}
      >
        <Sure campaign={campaign.title} paying={paying} failure={failure}>
          {(one) => <ChangeWords subscription={one} cents={chosen?.cents ?? 0} />}
        </Sure>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'sureToCancel'}
        title={t('subscription.own.sure')}
        confirmLabel={t('subscription.break.stopDo')}
        cancelLabel={t('subscription.own.no')}
        isConfirming={isRunning}
        onCancel={close}
        onConfirm={() => void cancel()}
      >
        <Sure campaign={campaign.title} paying={paying} failure={failure}>
          {(one) => <StopWords subscription={one} />}
        </Sure>
      </ConfirmDialog>
    </li>
  );
}

interface WaysProps {
  campaign: string;
  onAsk: (dialog: 'change' | 'sureToCancel') => void;
}

/** The ways to change and to stop it. */
function Ways({ campaign, onAsk }: WaysProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  useHeadingAfter(root);
  return (
    <div ref={root} className={classes.ways}>
      <Button
        variant="transparent"
        size="sm"
        aria-label={t('subscription.own.modifyNamed', { campaign })}
        onClick={() => onAsk('change')}
      >
        {t('subscription.own.modify')}
      </Button>
      <Button
        variant="transparent"
        color="danger"
        size="sm"
        aria-label={t('subscription.own.cancelNamed', { campaign })}
        onClick={() => onAsk('sureToCancel')}
      >
        {t('subscription.own.cancel')}
      </Button>
    </div>
  );
}
