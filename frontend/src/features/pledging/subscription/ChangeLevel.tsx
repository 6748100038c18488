import { useState, type SyntheticEvent } from 'react';
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
import { useLevelChoice } from '../../../ui/own/useLevelChoice';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { useNow } from '../../../ui/useNow';
import classes from './SubscriptionPage.module.css';

export interface ChangeLevelProps {
  subscription: Subscription;
  next: NextCharge;
  /** The level is changed; a month that waited because of the limit may go on by it. */
  onChanged: () => void;
}

/** Whether the day of a month has come that waits because of the limit: one that fits at another level is charged at once. */
function useIsLate({ held }: Subscription): boolean {
  const today = platformDay(useNow());
  return held !== undefined && held.day <= today;
}

/** Another level or amount from the next month whose charge has not begun. */
export function ChangeLevel(props: ChangeLevelProps) {
  const { subscription, next } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const isLate = useIsLate(subscription);
  const { data, isError, refetch } = useCampaignRewardsQuery({
    campaignId: subscription.projectId,
    language,
  });
  return (
    <section aria-labelledby="change" className={classes.part}>
      <h2 id="change">{t('subscription.change.title')}</h2>
      <p className={classes.help}>
        {isLate
          ? t('subscription.change.fromLate')
          : t('subscription.change.from', { day: formatDay(language, next.day) })}
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
  const isLate = useIsLate(subscription);
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { isRunning, make, question, leave } = useChange({
    leaveLabel: t('spendingLimit.otherAmount'),
  });
  const { id: subscriptionId, currency, level, next_level, reward } = subscription;
  const stored = next_level ?? { ...level, reward: level.reward ?? reward };
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
          choose('changed');
        }}
      />
      {question && <div className={classes.question}>{question}</div>}
      {isChanged && !question && (
        <div className={classes.chosen}>
          <p className={classes.help} role="status">
            {fields.cents !== undefined && (
              <Trans
                i18nKey={isLate ? 'subscription.change.summaryLate' : 'subscription.change.summary'}
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
        </div>
      )}
    </form>
  );
}
