import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subscriptionPayments, type DueMonth, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney } from '../../../i18n/format';
import { formatFullDay, formatMonthName } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { ClockIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';
import { ask } from '../flow/ask';
import { CardForAll } from './CardForAll';
import { CardForm } from './CardForm';
import classes from './DueMonth.module.css';
import { useCardRun } from './useCardRun';
import { useChange } from './useChange';

const calls = subscriptionPayments.endpoints;

export interface DueMonthProps {
  subscription: Subscription;
  due: DueMonth;
}

/** The month that is to be paid now: why, and the form that pays it. */
export function DueMonthForm({ subscription, due }: DueMonthProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const cardRun = useCardRun();
  const { isRunning, make } = useChange();
  const { id: subscriptionId, currency } = subscription;
  const amount = formatMoney(language, due.amount_minor / 100, { cents: true, currency });
  const month = formatMonthName(language, due.day);
  const isFirst = due.period === 1;
  const isShared = Boolean(subscription.card?.is_shared);
  const [isForAll, setForAll] = useState(true);

  // Its answer takes the place of what is shown, so that a paid month's form goes away.
  const look = () =>
    ask(
      dispatch(
        calls.subscriptionPayment.initiate({ subscriptionId }, { forceRefetch: true, subscribe: false }),
      ),
    );

  const pay = async () => {
    const result = await cardRun.run(
      async () => {
        const { data, error } = await ask(
          dispatch(calls.setupSubscriptionPayment.initiate({ subscriptionId })),
        );
        if (!error) return { data: { clientSecret: data.stripe.payment_intent.client_secret } };
        // Another tab may have paid it, or a try of ours.
        if (error.status === 'subscription_not_payable') await look();
        return { error };
      },
      paths.subscription(language, subscriptionId),
    );
    if (!result) return;
    const { data, error } = await look();
    const isPaid = data?.subscription.charges.some(
      ({ period, status }) => period === due.period && status === 'paid',
    );
    if (result === 'done' || isPaid) {
      notify({
        tone: 'success',
        title: t('subscription.due.paid', { amount }),
        isAboutMoney: true,
        topic: 'subscription',
      });
      // This form goes away with the month that it has paid, so a failure is said elsewhere.
      if (isShared && isForAll) {
        const call = calls.changeSubscriptionCard.initiate({ subscriptionId, cardChange: { all: true } });
        await make(dispatch(call), t('subscription.card.allSaved', { amount }));
      }
    } else if (error) cardRun.fail(error);
    else if (data.subscription.due) cardRun.fail({ status: 'generic', http: 0 });
  };

  const skip = () =>
    make(
      dispatch(
        calls.skipSubscriptionMonth.initiate({ subscriptionId, subscriptionSkip: { period: due.period } }),
      ),
      capital(t('subscription.break.skipped', { month })),
    );

  return (
    <section aria-labelledby="due" className={classes.root}>
      <div className={classes.head}>
        <ClockIcon />
        <div>
          <h2 id="due" className={classes.title}>
            {isFirst
              ? t('subscription.state.created')
              : capital(t('subscription.due.title', { month, amount }))}
          </h2>
          <p>
            <Why subscription={subscription} due={due} />
          </p>
        </div>
      </div>
      <div className={classes.form}>
        <CardForm
          run={cardRun}
          cents={due.amount_minor}
          currency={currency}
          purpose="monthly"
          submitLabel={t('subscription.due.pay', { amount })}
          onSubmit={pay}
          options={isShared && <CardForAll isChecked={isForAll} onChange={setForAll} />}
          others={
            !isFirst && (
              <Button variant="transparent" loading={isRunning} onClick={() => void skip()}>
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

/** A sentence that begins with a month's name, which is written small in Finnish and Swedish. */
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
