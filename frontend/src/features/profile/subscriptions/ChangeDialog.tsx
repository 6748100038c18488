import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Reward } from '../../../api/content';
import type { Subscription } from '../../../api/subscriptions';
import { toCents } from '../../../domain/amounts';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { ErrorState } from '../../../ui/ErrorState';
import { LevelFields } from '../../../ui/own/LevelFields';
import { useLevelChoice } from '../../../ui/own/useLevelChoice';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from './MySubscriptionsPage.module.css';

/** A level, or one's own amount without one. */
export interface ChosenLevel {
  cents: number;
  rewardId: number | null;
}

export interface ChangeDialogProps {
  subscription: Subscription;
  isOpen: boolean;
  onClose: () => void;
  onChosen: (level: ChosenLevel) => void;
}

/** Asks for another level or amount. */
export function ChangeDialog({ subscription, isOpen, onClose, onChosen }: ChangeDialogProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isError, refetch } = useCampaignRewardsQuery(
    { campaignId: subscription.campaign_id, language },
    { skip: !isOpen },
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('subscription.own.newLevel')}>
      {data ? (
        <Fields subscription={subscription} rewards={data.rewards} onChosen={onChosen} />
      ) : isError ? (
        <ErrorState title={t('subscription.change.levelsFailed')} onRetry={() => void refetch()} />
      ) : (
        <LinesSkeleton lines={6} />
      )}
    </Dialog>
  );
}

type FieldsProps = Pick<ChangeDialogProps, 'subscription' | 'onChosen'> & { rewards: readonly Reward[] };

function Fields({ subscription, rewards, onChosen }: FieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency } = subscription;
  const fields = useLevelChoice({
    rewards,
    amountMinor: toCents(subscription.next_amount ?? subscription.amount),
    rewardId: subscription.reward_id ?? undefined,
    currency,
  });
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = fields.read();
        if (chosen) onChosen(chosen);
      }}
    >
      <LevelFields fields={fields} legend={t('subscription.change.choose')} />
      <Button type="submit" fullWidth>
        {fields.cents === undefined
          ? t('subscription.change.title')
          : t('subscription.change.do', {
              amount: formatMoney(language, fields.cents / 100, { cents: true, currency }),
            })}
      </Button>
    </form>
  );
}
