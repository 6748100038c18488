import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subscription as SubscriptionRecord } from '../../../api/subscriptions';
import {
  subscriptionPayments,
  type Subscription,
  type SubscriptionMonth,
} from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { dayAfterMonths } from '../../../domain/monthly';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatDate, formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { useChange, type Change } from '../../../ui/limit/useChange';
import { SelectBox } from '../../../ui/SelectBox';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import { useNow } from '../../../ui/useNow';
import { shortTitle } from '../thanks/state';
import { BreakRow } from './BreakRow';
import { endsAtOnce } from '../../../ui/own/paying';
import classes from './SubscriptionPage.module.css';

const calls = subscriptionPayments.endpoints;

export interface TakeABreakProps {
  subscription: Subscription;
  /** The one after a month that is to be paid now. */
  later: SubscriptionMonth | undefined;
  record: SubscriptionRecord;
}

type Row = 'first' | 'pause' | 'stop';

/** Skip a month, pause, stop, and take each of them back. */
export function TakeABreak({ subscription, later, record }: TakeABreakProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const change = useChange({ hasPlace: true });
  const { isRunning, make, skip, question } = change;
  // The row in which something was pressed last.
  const [pressed, setPressed] = useState<Row>();
  const failureOf = (row: Row) => (pressed === row ? change.failure : undefined);
  const root = useRef<HTMLElement>(null);
  useHeadingAfter(root);
  const [isStopping, setStopping] = useState(false);
  const { id: subscriptionId, status, anchor_day: anchor, ends_on: endsOn } = subscription;
  // One that waits because of the spending limit can be left out, too.
  const next = subscription.next_charge ?? subscription.held;
  const day = (one: string) => formatDay(language, one);
  const today = platformDay(useNow());
  const amount =
    next && formatMoney(language, next.amount_minor / 100, { cents: true, currency: subscription.currency });
  const month = next && formatMonthName(language, next.day);
  // Months before the next charge that were left out, and have not come yet.
  const skipped = subscription.months
    .filter(({ state, day: one }) => state === 'skipped' && one > today)
    .at(-1);
  const isPaused = status === 'paused';
  const pausable = next ?? later;
  const isEndedAtOnce = endsAtOnce(subscription, today);
  // While a campaign is on hold nothing comes that could be left out.
  const canBreak = !endsOn && (isPaused || (anchor !== undefined && pausable !== undefined));

  const resume = () => {
    setPressed('first');
    return make(
      () => dispatch(calls.resumeSubscription.initiate({ subscriptionId })),
      t('subscription.break.resumed'),
    );
  };
  const skipNext = async (row: Row) => {
    setPressed(row);
    if (next) await skip({ subscriptionId, ...next });
  };
  // Before anything is asked for the focus is back in the row, which gives it on when it goes away.
  const opener = useRef<HTMLButtonElement>(null);
  const leaveDialog = () => {
    setStopping(false);
    opener.current?.focus({ preventScroll: true });
  };
  const stop = async () => {
    leaveDialog();
    setPressed('stop');
    const call = calls.cancelSubscription.initiate({ subscriptionId, subscriptionCancel: {} });
    await make(() => dispatch(call), t('subscription.break.stopped'));
  };
  const skipInstead = async () => {
    leaveDialog();
    await skipNext('stop');
  };
  const resumeButton = (
    <Button variant="outline" loading={isRunning} onClick={() => void resume()}>
      {t('subscription.break.resume')}
    </Button>
  );

  return (
    <section ref={root} aria-labelledby="break" className={classes.part}>
      <h2 id="break">{t(canBreak ? 'subscription.break.title' : 'subscription.break.endTitle')}</h2>
      {question && <div className={classes.question}>{question}</div>}
      <div className={classes.rows}>
        {endsOn ? (
          <BreakRow
            key="ending"
            title={t('subscription.break.stop')}
            text={t('subscription.break.resumeEndText', { day: day(endsOn) })}
            action={resumeButton}
            failure={failureOf('first')}
          />
        ) : isPaused ? (
          <BreakRow
            key="paused"
            title={t('subscription.break.pause')}
            text={t('subscription.break.resumePauseText', {
              day: formatDate(language, subscription.paused_until ?? next?.day ?? ''),
            })}
            action={resumeButton}
            failure={failureOf('first')}
          />
        ) : (
          anchor && (
            <>
              {next && skipped && (
                <BreakRow
                  key="skipped"
                  title={capital(formatMonthName(language, skipped.day))}
                  text={t('subscription.break.resumeSkipText', {
                    month: capital(formatMonthName(language, skipped.day)),
                  })}
                  action={resumeButton}
                  failure={failureOf('first')}
                />
              )}
              {next && !skipped && (
                <BreakRow
                  key="skip"
                  title={t('subscription.break.skip', { month })}
                  text={capital(
                    t('subscription.break.skipText', {
                      day: day(next.day),
                      amount,
                      next: day(dayAfterMonths(anchor, next.period)),
                    }),
                  )}
                  action={
                    <Button
                      variant="outline"
                      size="sm"
                      loading={isRunning}
                      onClick={() => void skipNext('first')}
                    >
                      {t('subscription.break.skipDo')}
                    </Button>
                  }
                  failure={failureOf('first')}
                />
              )}
              {status === 'active' && pausable && (
                <PauseRow
                  subscription={subscription}
                  period={pausable.period}
                  anchor={anchor}
                  change={change}
                  onPress={() => setPressed('pause')}
                  failure={failureOf('pause')}
                />
              )}
            </>
          )
        )}
        {!endsOn && (
          <BreakRow
            title={t('subscription.break.stop')}
            text={
              subscription.paid_until && !isEndedAtOnce
                ? t('subscription.break.stopText', { day: day(subscription.paid_until) })
                : t('subscription.break.stopNow')
            }
            action={
              <Button
                ref={opener}
                variant="transparent"
                color="danger"
                loading={isRunning}
                onClick={() => setStopping(true)}
              >
                {t('subscription.break.stopDo')}
              </Button>
            }
            failure={failureOf('stop')}
          />
        )}
      </div>
      <Dialog
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        title={t('subscription.break.stopTitle', { campaign: shortTitle(record.campaign.title) })}
      >
        <p className={classes.help}>
          {next && !isEndedAtOnce
            ? t('subscription.break.stopConfirm', { amount, day: formatDate(language, next.day) })
            : t('subscription.break.stopNow')}
        </p>
        <div className={classes.ways}>
          {next && !isPaused && !skipped && (
            <Button variant="outline" fullWidth loading={isRunning} onClick={() => void skipInstead()}>
              {t('subscription.break.stopSkip', { month })}
            </Button>
          )}
          <Button variant="outline" color="danger" fullWidth loading={isRunning} onClick={() => void stop()}>
            {t('subscription.break.stopDo')}
          </Button>
          <Button variant="transparent" fullWidth data-autofocus onClick={() => setStopping(false)}>
            {t('subscription.break.stopKeep')}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

interface PauseRowProps {
  subscription: Subscription;
  /** Of the next charge. */
  period: number;
  anchor: string;
  change: Change;
  onPress: () => void;
  failure: string | undefined;
}

/** A pause until a month that is chosen: at most twelve months after the next charge. It leaves out a month that is to be paid. */
function PauseRow({ subscription, period, anchor, change, onPress, failure }: PauseRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { isRunning, make } = change;
  const { due } = subscription;
  const choices = Array.from({ length: 12 }, (_, place) => period + place + 1);
  const [until, setUntil] = useState<string>();
  const chosen = choices.find((one) => String(one) === until) ?? period + 3;
  const dayOf = (one: number) => formatDate(language, dayAfterMonths(anchor, one - 1));
  const pause = () => {
    onPress();
    return make(
      () =>
        dispatch(
          calls.pauseSubscription.initiate({
            subscriptionId: subscription.id,
            subscriptionPause: { until_period: chosen },
          }),
        ),
      t('subscription.break.paused'),
    );
  };
  return (
    <BreakRow
      title={t('subscription.break.pause')}
      text={
        due
          ? t('subscription.break.pauseTextDue', { month: formatMonthName(language, due.day) })
          : t('subscription.break.pauseText')
      }
      failure={failure}
      action={
        <>
          <SelectBox
            label={t('subscription.break.until')}
            value={String(chosen)}
            choices={choices.map((one) => ({ value: String(one), label: dayOf(one) }))}
            onChange={setUntil}
          />
          <Button variant="outline" size="sm" loading={isRunning} onClick={() => void pause()}>
            {t('subscription.break.pauseDo')}
          </Button>
        </>
      }
    />
  );
}
