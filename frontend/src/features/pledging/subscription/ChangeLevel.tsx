import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery } from '../../../api/content';
import { subscriptionPayments, type NextCharge, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { fromCents } from '../../../domain/amounts';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { useChange } from '../../../ui/limit/useChange';
import { LevelFields } from '../../../ui/own/LevelFields';
import { changeWhen, chosenLevel } from '../../../ui/own/paying';
import { useLevelChoice } from '../../../ui/own/useLevelChoice';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import { useNow } from '../../../ui/useNow';
import classes from './SubscriptionPage.module.css';

export interface ChangeLevelProps {
  subscription: Subscription;
  /** The month from which a change counts. */
  next: NextCharge;
  /** The level is changed; a month that waited because of the limit may go on by it. */
  onChanged: () => void;
}

/** Another level or amount from the next month whose charge has not begun. */
export function ChangeLevel(props: ChangeLevelProps) {
  const { subscription, next } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const when = changeWhen(subscription, platformDay(useNow()));
  const { data, isError, refetch } = useCampaignRewardsQuery({
    campaignId: subscription.projectId,
    language,
  });
  return (
    <section aria-labelledby="change" className={classes.part}>
      <h2 id="change">{t('subscription.change.title')}</h2>
      <p className={classes.help}>
        {t(`subscription.change.from${when}`, { day: formatDay(language, next.day) })}
      </p>
      {data ? (
        <LevelForm {...props} rewards={data.rewards} />
      ) : isError ? (
        <ErrorState title={t('subscription.change.levelsFailed')} onRetry={() => void refetch()} />
      ) : (
        <LinesSkeleton lines={6} />
      )}
    </section>
  );
}

type LevelFormProps = ChangeLevelProps & { rewards: Parameters<typeof useLevelChoice>[0]['rewards'] };

function LevelForm({ subscription, next, onChanged, rewards }: LevelFormProps) {
  const { t } = useTranslation();
  const when = changeWhen(subscription, platformDay(useNow()));
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { isRunning, make, question, leave, failure, forget } = useChange({
    leaveLabel: t('spendingLimit.otherAmount'),
    hasPlace: true,
  });
  const { id: subscriptionId, currency } = subscription;
  const stored = chosenLevel(subscription);
  const [choice, choose] = useState<'changed' | undefined>();
  const fields = useLevelChoice({
    rewards,
    amountMinor: stored.amount_minor,
    rewardId: stored.reward?.reward_id,
    currency,
  });
  const money = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const isChanged = choice === 'changed' && fields.isChanged;

  const change = async (event: SyntheticEvent) => {
    event.preventDefault();
    const chosen = fields.read();
    if (!chosen) return;
    const call = subscriptionPayments.endpoints.modifySubscriptionLevel.initiate({
      subscriptionId,
      subscriptionLevelChange: { amount: fromCents(chosen.cents), reward_id: chosen.rewardId },
    });
    if (!(await make(() => dispatch(call), t('subscription.change.done', { amount: money(chosen.cents) }))))
      return;
    choose(undefined);
    onChanged();
  };

  return (
    <form noValidate className={classes.levels} onSubmit={(event) => void change(event)}>
      <LevelFields
        fields={fields}
        legend={t('subscription.change.choose')}
        onChange={() => {
          leave();
          forget();
          choose('changed');
        }}
      />
      {question && <div className={classes.question}>{question}</div>}
      {isChanged && !question && (
        <Chosen>
          <p className={classes.help} role="status">
            {fields.cents !== undefined && (
              <Trans
                i18nKey={`subscription.change.summary${when}`}
                values={{
                  day: formatDay(language, next.day),
                  amount: money(fields.cents),
                  before: money(stored.amount_minor),
                }}
                components={{ b: <b /> }}
              />
            )}
          </p>
          <div className={classes.acts}>
            <Button
              variant="transparent"
              onClick={() => {
                fields.reset();
                forget();
                choose(undefined);
              }}
            >
              {t('subscription.change.keep', { amount: money(stored.amount_minor) })}
            </Button>
            <Button type="submit" loading={isRunning}>
              {fields.cents === undefined
                ? t('subscription.change.title')
                : t('subscription.change.do', { amount: money(fields.cents) })}
            </Button>
          </div>
          {failure && (
            <p role="alert" className={classes.rowFailure}>
              {failure}
            </p>
          )}
        </Chosen>
      )}
    </form>
  );
}

/** What is chosen, and the buttons: they go away once it is made or taken back. */
function Chosen({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useHeadingAfter(root);
  return (
    <div ref={root} className={classes.chosen}>
      {children}
    </div>
  );
}
