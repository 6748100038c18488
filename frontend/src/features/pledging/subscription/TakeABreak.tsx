import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subscription as SubscriptionRecord } from '../../../api/subscriptions';
import { subscriptionPayments, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { dayAfterMonths } from '../../../domain/monthly';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatDate, formatDay, formatMoney } from '../../../i18n/format';
import { formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { useChange } from '../../../ui/limit/useChange';
import { SelectBox } from '../../../ui/SelectBox';
import { shortTitle } from '../thanks/state';
import { BreakRow } from './BreakRow';
import classes from './SubscriptionPage.module.css';

const calls = subscriptionPayments.endpoints;

export interface TakeABreakProps {
  subscription: Subscription;
  record: SubscriptionRecord;
}

/** Skip a month, pause, stop, and take each of them back. */
export function TakeABreak({ subscription, record }: TakeABreakProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { isRunning, make, skip, question } = useChange();
  const [isStopping, setStopping] = useState(false);
  const { id: subscriptionId, status, anchor_day: anchor, ends_on: endsOn } = subscription;
  // One that waits because of the spending limit can be left out, too.
  const next = subscription.next_charge ?? subscription.held;
  const day = (one: string) => formatDay(language, one);
  const amount =
    next && formatMoney(language, next.amount_minor / 100, { cents: true, currency: subscription.currency });
  const month = next && formatMonthName(language, next.day);
  // Months before the next charge that were left out, and have not come yet.
  const skipped = subscription.months
    .filter(({ state, day: one }) => state === 'skipped' && one > (subscription.paid_until ?? ''))
    .at(-1);
  const isPaused = status === 'paused';

  const resume = () =>
    make(
      () => dispatch(calls.resumeSubscription.initiate({ subscriptionId })),
      t('subscription.break.resumed'),
    );
  const skipNext = async () => {
    setStopping(false);
    if (next) await skip({ subscriptionId, ...next });
  };
  const stop = async () => {
    const call = calls.cancelSubscription.initiate({ subscriptionId, subscriptionCancel: {} });
    await make(() => dispatch(call), t('subscription.break.stopped'));
    setStopping(false);
  };
  const resumeButton = (
    <Button variant="outline" loading={isRunning} onClick={() => void resume()}>
      {t('subscription.break.resume')}
    </Button>
  );

  return (
    <section aria-labelledby="break" className={classes.part}>
      <h2 id="break">{t('subscription.break.title')}</h2>
      {question && <div className={classes.question}>{question}</div>}
      <div className={classes.rows}>
        {endsOn ? (
          <BreakRow
            title={t('subscription.break.stop')}
            text={t('subscription.break.resumeEndText', { day: day(endsOn) })}
            action={resumeButton}
          />
        ) : isPaused ? (
          <BreakRow
            title={t('subscription.break.pause')}
            text={t('subscription.break.resumePauseText', {
              day: day(subscription.paused_until ?? next?.day ?? ''),
            })}
            action={resumeButton}
          />
        ) : (
          next &&
          anchor && (
            <>
              {skipped ? (
                <BreakRow
                  title={capital(formatMonthName(language, skipped.day))}
                  text={t('subscription.break.resumeSkipText', {
                    month: capital(formatMonthName(language, skipped.day)),
                  })}
                  action={resumeButton}
                />
              ) : (
                <BreakRow
                  title={t('subscription.break.skip', { month })}
                  text={capital(
                    t('subscription.break.skipText', {
                      day: day(next.day),
                      amount,
                      next: day(dayAfterMonths(anchor, next.period)),
                    }),
                  )}
                  action={
                    <Button variant="outline" size="sm" loading={isRunning} onClick={() => void skipNext()}>
                      {t('subscription.break.skipDo')}
                    </Button>
                  }
                />
              )}
              <PauseRow subscription={subscription} period={next.period} anchor={anchor} />
            </>
          )
        )}
        {!endsOn && (
          <BreakRow
            title={t('subscription.break.stop')}
            text={
              subscription.paid_until
                ? t('subscription.break.stopText', { day: day(subscription.paid_until) })
                : t('subscription.break.stopNow')
            }
            action={
              <Button variant="transparent" color="danger" onClick={() => setStopping(true)}>
                {t('subscription.break.stopDo')}
              </Button>
            }
          />
        )}
      </div>
      <Dialog
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        title={t('subscription.break.stopTitle', { campaign: shortTitle(record.campaign.title) })}
      >
        <p className={classes.help}>
          {next
            ? t('subscription.break.stopConfirm', { amount, day: day(next.day) })
            : t('subscription.break.stopNow')}
        </p>
        <div className={classes.ways}>
          {next && !isPaused && !skipped && (
            <Button variant="outline" fullWidth loading={isRunning} onClick={() => void skipNext()}>
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
}

/** A pause until a month that is chosen: at most twelve months after the next charge. */
function PauseRow({ subscription, period, anchor }: PauseRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { isRunning, make } = useChange();
  const choices = Array.from({ length: 12 }, (_, place) => period + place + 1);
  const [until, setUntil] = useState<string>();
  const chosen = choices.find((one) => String(one) === until) ?? period + 3;
  const dayOf = (one: number) => formatDate(language, dayAfterMonths(anchor, one - 1));
  const pause = () =>
    make(
      () =>
        dispatch(
          calls.pauseSubscription.initiate({
            subscriptionId: subscription.id,
            subscriptionPause: { until_period: chosen },
          }),
        ),
      t('subscription.break.paused'),
    );
  return (
    <BreakRow
      title={t('subscription.break.pause')}
      text={t('subscription.break.pauseText')}
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
