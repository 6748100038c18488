import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
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
import { formatDay, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { HeldOf } from '../../../ui/limit/HeldOf';
import { useChange } from '../../../ui/limit/useChange';
import { Picture } from '../../../ui/Picture';
import { ChangeDialog, type ChosenLevel } from './ChangeDialog';
import classes from './MySubscriptionsPage.module.css';

const calls = subscriptionPayments.endpoints;

/** One of the person's own: where it stands, and the ways to change and to stop it. */
export function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [dialog, setDialog] = useState<'change' | 'sureToChange' | 'sureToCancel'>();
  const [chosen, setChosen] = useState<ChosenLevel>();
  const { isRunning, make, question } = useChange({
    leaveLabel: t('spendingLimit.otherAmount'),
    onLeave: () => setDialog('change'),
  });
  // The payment service's answer to a change; the list hears of it a moment later.
  const [now, setNow] = useState<Paying>();
  const { subscription_id: subscriptionId, campaign, currency } = subscription;
  const status = now?.status ?? subscription.status;
  const endsOn = now ? now.ends_on : subscription.ends_on;
  const nextOn = now ? now.next_charge?.day : subscription.next_charge_on;
  const nextLevel = now?.next_level?.amount_minor;
  const amount =
    nextLevel === undefined ? (subscription.next_amount ?? subscription.amount) : nextLevel / 100;
  // The list names the day of a month that waits; the payment service knows the rest, and when it waits no more.
  const heldCall = useSubscriptionQuery(
    { subscriptionId },
    { skip: !subscription.held_on, refetchOnMountOrArgChange: true },
  );
  const isHeld = heldCall.currentData
    ? heldCall.currentData.subscription.held !== undefined
    : Boolean(subscription.held_on);
  const isGoing = status === 'active' || status === 'past_due' || status === 'paused';
  const money = (sum: number) => formatMoney(language, sum, { cents: true, currency });

  /** Keeps what the payment service answers. The dialog closes also when the spending limit is asked about. */
  const change = (call: () => PromiseLike<{ data?: SubscriptionAnswer; error?: unknown }>, done: string) =>
    make(async () => {
      const { data, error } = await call();
      if (data) setNow(data.subscription);
      setDialog(undefined);
      return { error };
    }, done);
  const cancel = () =>
    change(
      () => dispatch(calls.cancelSubscription.initiate({ subscriptionId, subscriptionCancel: {} })),
      t('subscription.break.stopped'),
    );
  const changeLevel = ({ cents, rewardId }: ChosenLevel) =>
    change(
      () =>
        dispatch(
          calls.modifySubscriptionLevel.initiate({
            subscriptionId,
            subscriptionLevelChange: { amount: fromCents(cents), reward_id: rewardId },
          }),
        ),
      t('subscription.change.done', { amount: money(fromCents(cents)) }),
    );

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
        <h2 className={classes.title}>
          <Link to={paths.subscription(language, subscriptionId)}>{campaign.title}</Link>
        </h2>
        <p className={classes.facts}>
          <b>{t('subscription.own.aMonth', { amount: money(amount) })}</b>
          {subscription.reward_title && ` · ${subscription.reward_title}`}
        </p>
        <p className={classes.facts}>
          <Chip
            tone={
              status === 'past_due' || isHeld ? 'cloud' : status === 'active' && !endsOn ? 'spruce' : 'plain'
            }
          >
            {isHeld
              ? t('spendingLimit.held')
              : endsOn && isGoing
                ? t('subscription.own.status.ending', { day: formatDay(language, endsOn) })
                : t(`subscription.own.status.${status}`)}
          </Chip>{' '}
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
        {isGoing && !endsOn && (
          <>
            <Button
              variant="transparent"
              size="sm"
              aria-label={t('subscription.own.modifyNamed', { campaign: campaign.title })}
              onClick={() => setDialog('change')}
            >
              {t('subscription.own.modify')}
            </Button>
            <Button
              variant="transparent"
              color="danger"
              size="sm"
              aria-label={t('subscription.own.cancelNamed', { campaign: campaign.title })}
              onClick={() => setDialog('sureToCancel')}
            >
              {t('subscription.own.cancel')}
            </Button>
          </>
        )}
      </div>
      {(subscription.held_on ?? question) && (
        <div className={classes.over}>
          {subscription.held_on && (
            <HeldOf subscriptionId={subscriptionId} currency={currency} call={heldCall} />
          )}
          {question}
        </div>
      )}
      <ChangeDialog
        subscription={subscription}
        isOpen={dialog === 'change'}
        onClose={() => setDialog(undefined)}
        onChosen={(level) => {
          setChosen(level);
          setDialog('sureToChange');
        }}
      />
      <ConfirmDialog
        isOpen={dialog === 'sureToChange' && chosen !== undefined}
        title={t('subscription.own.sure')}
        confirmLabel={t('subscription.change.do', { amount: money((chosen?.cents ?? 0) / 100) })}
        cancelLabel={t('subscription.own.no')}
        isConfirming={isRunning}
        isDestructive={false}
        onCancel={() => setDialog(undefined)}
        onConfirm={() => chosen && void changeLevel(chosen)}
      >
        {campaign.title}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'sureToCancel'}
        title={t('subscription.own.sure')}
        confirmLabel={t('subscription.break.stopDo')}
        cancelLabel={t('subscription.own.no')}
        isConfirming={isRunning}
        onCancel={() => setDialog(undefined)}
        onConfirm={() => void cancel()}
      >
        {campaign.title}
      </ConfirmDialog>
    </li>
  );
}
