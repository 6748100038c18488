import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { subscriptionPayments, type Subscription as Paying } from '../../../api/subscriptionPayments';
import { subscriptions, type Subscription } from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDay, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { useNotify } from '../../../ui/notify';
import { Picture } from '../../../ui/Picture';
import { ChangeDialog, type ChosenLevel } from './ChangeDialog';
import classes from './MySubscriptionsPage.module.css';

const calls = subscriptionPayments.endpoints;

/** One of the person's own: where it stands, and the ways to change and to stop it. */
export function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const notify = useNotify();
  const [dialog, setDialog] = useState<'change' | 'sureToChange' | 'sureToCancel'>();
  const [chosen, setChosen] = useState<ChosenLevel>();
  const [isRunning, setRunning] = useState(false);
  // The payment service's answer to a change; the list hears of it a moment later.
  const [now, setNow] = useState<Paying>();
  const { subscription_id: subscriptionId, campaign, currency } = subscription;
  const status = now?.status ?? subscription.status;
  const endsOn = now ? now.ends_on : subscription.ends_on;
  const nextOn = now ? now.next_charge?.day : subscription.next_charge_on;
  const nextLevel = now?.next_level?.amount_minor;
  const amount =
    nextLevel === undefined ? (subscription.next_amount ?? subscription.amount) : nextLevel / 100;
  const isGoing = status === 'active' || status === 'past_due' || status === 'paused';
  const money = (sum: number) => formatMoney(language, sum, { cents: true, currency });

  const make = async (
    call: PromiseLike<{ data?: { subscription: Paying }; error?: unknown }>,
    done: string,
  ) => {
    setRunning(true);
    const { data, error } = await call;
    setRunning(false);
    setDialog(undefined);
    if (data) {
      setNow(data.subscription);
      dispatch(subscriptions.util.invalidateTags(['OwnSubscriptions']));
      notify({ tone: 'success', title: done, isAboutMoney: true });
      return;
    }
    notify({
      tone: 'error',
      title: t('subscription.change.failed'),
      text: isApiError(error) ? errorText(error, 'MySubscriptionsPage') : undefined,
      isAboutMoney: true,
    });
  };
  const cancel = () =>
    make(
      dispatch(calls.cancelSubscription.initiate({ subscriptionId, subscriptionCancel: {} })),
      t('subscription.break.stopped'),
    );
  const change = ({ cents, rewardId }: ChosenLevel) =>
    make(
      dispatch(
        calls.modifySubscriptionLevel.initiate({
          subscriptionId,
          subscriptionLevelChange: { amount: cents / 100, reward_id: rewardId },
        }),
      ),
      t('subscription.change.done', { amount: money(cents / 100) }),
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
          <Chip tone={status === 'past_due' ? 'cloud' : status === 'active' && !endsOn ? 'spruce' : 'plain'}>
            {endsOn && isGoing
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
        onConfirm={() => chosen && void change(chosen)}
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
