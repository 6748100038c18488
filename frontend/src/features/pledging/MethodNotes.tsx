import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import { AlertCircleIcon } from '../../ui/icons';
import { PaymentOff } from '../../ui/paymentOff/lazyPaymentOff';
import { TextButton } from '../../ui/TextButton';
import classes from './MethodNotes.module.css';
import type { Gone } from './useMethodChoice';

/** What is said of a campaign that cannot be paid to. */
export type PaidTo = Pick<Campaign, 'campaign_id' | 'funding_deadline'>;

/** That what was chosen is not offered any more, once, over the rest. */
export function MethodGone({ gone }: { gone: Gone }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.gone}>
      <AlertCircleIcon />
      <span>
        {'moved' in gone
          ? t('pledge.methods.moved')
          : 'card' in gone
            ? t('pledge.methods.cardGone', { card: gone.card })
            : t(`pledge.methods.gone.${gone.method}`)}
      </span>
    </p>
  );
}

/** That it is not known how this can be paid; it is asked again by itself. */
export function MethodsFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.failed}>
      {t('pledge.methods.failed')}{' '}
      <TextButton look="inline" onPress={onRetry}>
        {t('action.retry')}
      </TextButton>
    </p>
  );
}

/** That the campaign was put on hold meanwhile; nobody is reminded of what may never go on. */
export function OnHold() {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.gone}>
      <AlertCircleIcon />
      <span>
        {t('hold.checkoutTitle')}. {t('hold.nothing')}
      </span>
    </p>
  );
}

export interface NoMethodsProps {
  campaign: PaidTo;
  /** As typed above. */
  email?: string;
  onRetry?: () => void;
}

/** That the campaign cannot be paid to just now, in place of the methods and of the pay button. */
export function NoMethods({ campaign, email, onRetry }: NoMethodsProps) {
  const { t } = useTranslation();
  return (
    <PaymentOff campaignId={campaign.campaign_id} deadline={campaign.funding_deadline} email={email}>
      {onRetry && (
        <TextButton look="aside" onPress={onRetry}>
          {t('pledge.methods.askAgain')}
        </TextButton>
      )}
    </PaymentOff>
  );
}
