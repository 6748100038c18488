import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subscriptionPayments, type DueMonth, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatDay, formatMoney } from '../../../i18n/format';
import { formatFullDay, formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { ClockIcon } from '../../../ui/icons';
import { useChange } from '../../../ui/limit/useChange';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import { ask, mapped } from '../flow/answer';
import { CardForAll } from './CardForAll';
import { CardForm } from './CardForm';
import classes from './DueMonth.module.css';
import { useCardRun } from './useCardRun';
import type { FinishCharge } from './useCharge';
import { useOtherSupport } from './useOtherSupport';

const calls = subscriptionPayments.endpoints;

export interface DueMonthProps {
  subscription: Subscription;
  due: DueMonth;
}

export interface DueMonthFormProps extends DueMonthProps {
  onConfirmed: FinishCharge;
}

/** The month that is to be paid now: why, and the form that pays it. */
export function DueMonthForm({ subscription, due, onConfirmed }: DueMonthFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const cardRun = useCardRun();
  const { isRunning, skip, question, failure, forget } = useChange({ hasPlace: true });
  const root = useRef<HTMLElement>(null);
  useHeadingAfter(root);
  const { id: subscriptionId, currency } = subscription;
  const amount = formatMoney(language, due.amount_minor / 100, { cents: true, currency });
  const month = formatMonthName(language, due.day);
  const isFirst = due.period === 1;
  const { others, isKnown } = useOtherSupport(subscription);
  const [isForAll, setForAll] = useState(true);

  // Its answer takes the place of what is shown, so that a paid month's form goes away.
  const look = () =>
    ask(
      dispatch(
        calls.subscriptionPayment.initiate({ subscriptionId }, { forceRefetch: true, subscribe: false }),
      ),
    );

  const pay = () => {
    forget();
    return cardRun.run({
      setUp: async () => {
        const answer = await ask(dispatch(calls.setupSubscriptionPayment.initiate({ subscriptionId })));
        // Another tab may have paid it, or a try of ours.
        if (answer.error?.status === 'subscription_not_payable') await look();
        return mapped(answer, ({ stripe }) => ({ clientSecret: stripe.payment_intent.client_secret }));
      },
      back: paths.subscription(language, subscriptionId),
      finish: (result, lost) =>
        onConfirmed(result, { period: due.period, amount, also: isForAll ? others : [] }, lost),
    });
  };

  return (
    <section ref={root} aria-labelledby="due" className={classes.root}>
      <div className={classes.head}>
        <ClockIcon />
        <div>
          <h2 id="due" className={classes.title}>
            {cardRun.isUnknown
              ? t('pledge.unknown.title')
              : isFirst
                ? t('subscription.state.created')
                : capital(t('subscription.due.title', { month, amount }))}
          </h2>
          {/* What the bank said before may no longer be true. */}
          {!cardRun.isUnknown && (
            <p>
              <Why subscription={subscription} due={due} />
            </p>
          )}
        </div>
      </div>
      {question && <div className={classes.question}>{question}</div>}
      <div className={classes.form}>
        <CardForm
          run={cardRun}
          isBusy={isRunning}
          otherFailure={failure}
          cents={due.amount_minor}
          currency={currency}
          purpose="monthly"
          submitLabel={t('subscription.due.pay', { amount })}
          onSubmit={pay}
          hasOptions={isKnown}
          options={others.length > 0 && <CardForAll isChecked={isForAll} onChange={setForAll} />}
          others={
            !isFirst && (
              <Button
                variant="transparent"
                loading={isRunning || cardRun.step !== undefined}
                onClick={() => void skip({ subscriptionId, ...due })}
              >
                {t('subscription.break.skip', { month })}
              </Button>
            )
          }
          note={t('subscription.due.bank')}
        />
      </div>
    </section>
  );
}

function Why({ subscription: { status }, due }: DueMonthProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (due.period === 1) return t('subscription.thanks.leadUnpaid');
  if (status === 'past_due') return t('subscription.due.pastDue');
  const next = due.coming_tries[0];
  return next && !due.needs_backer
    ? t('subscription.due.nextTry', { day: formatFullDay(language, next) })
    : t('subscription.due.needsYou');
}

/** What happens with the month: the tries that were made and those to come, and when they end. */
export function ComingTries({ due }: { due: DueMonth }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const day = (one: string) => formatDay(language, one);
  const [next, ...more] = due.needs_backer ? [] : due.coming_tries;
  const steps = [
    ...due.tries.map((one) => ({ state: 'failed', when: day(one), what: t('subscription.due.tried') })),
    ...(next ? [{ state: 'next', when: day(next), what: t('subscription.due.again') }] : []),
    ...(more.length > 0
      ? [
          {
            state: 'coming',
            when: more.map(day).join(', '),
            what: t('subscription.due.more', { count: more.length }),
          },
        ]
      : []),
    ...(due.gives_up_on
      ? [{ state: 'coming', when: day(due.gives_up_on), what: t('subscription.due.givesUp') }]
      : []),
  ];
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="tries" className={classes.panel}>
      <h2 id="tries" className={classes.label}>
        {t('subscription.due.happens', { month: formatMonthName(language, due.day) })}
      </h2>
      <ol className={classes.tries}>
        {steps.map(({ state, when, what }) => (
          <li key={`${when} ${what}`} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
            <b>{when}</b>
            <span>{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
