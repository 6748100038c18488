import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Reward } from '../../../api/content';
import type { Subscription as Paying } from '../../../api/subscriptionPayments';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { ErrorState } from '../../../ui/ErrorState';
import { LevelFields } from '../../../ui/own/LevelFields';
import { chosenLevel } from '../../../ui/own/paying';
import { useLevelChoice, type ChosenLevel } from '../../../ui/own/useLevelChoice';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from './MySubscriptionsPage.module.css';
import type { PayingRead } from './usePaying';

export interface ChangeDialogProps {
  campaignId: number;
  paying: PayingRead;
  isOpen: boolean;
  /** What was chosen before and is not stored. */
  earlier: ChosenLevel | undefined;
  onClose: () => void;
  onChosen: (level: ChosenLevel) => void;
}

/** Asks for another level or amount. */
export function ChangeDialog({ campaignId, paying, isOpen, earlier, onClose, onChosen }: ChangeDialogProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const rewards = useCampaignRewardsQuery({ campaignId, language }, { skip: !isOpen });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('subscription.own.newLevel')}>
      {rewards.data && paying.subscription ? (
        <Fields
          subscription={paying.subscription}
          rewards={rewards.data.rewards}
          earlier={earlier}
          onChosen={onChosen}
        />
      ) : rewards.isError || paying.isError ? (
        <ErrorState
          title={t('subscription.change.levelsFailed')}
          onRetry={() => {
            if (rewards.isError) void rewards.refetch();
            if (paying.isError) paying.retry();
          }}
        />
      ) : (
        <LinesSkeleton lines={6} />
      )}
    </Dialog>
  );
}

type FieldsProps = Pick<ChangeDialogProps, 'earlier' | 'onChosen'> & {
  subscription: Paying;
  rewards: readonly Reward[];
};

function Fields({ subscription, rewards, earlier, onChosen }: FieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency } = subscription;
  const stored = chosenLevel(subscription);
  const fields = useLevelChoice({
    rewards,
    amountMinor: stored.amount_minor,
    rewardId: stored.reward?.reward_id,
    currency,
    earlier,
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
