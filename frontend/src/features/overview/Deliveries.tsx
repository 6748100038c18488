import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import type { Campaign } from '../../api/content';
import { useCampaignDeliveriesQuery, useMarkDeliveredMutation, type RewardDelivery } from '../../api/editing';
import { required } from '../../domain/rules';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatDate } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { DayField } from '../../ui/DayField';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/fields';
import { useNotify } from '../../ui/notify';
import { useAppForm } from '../../ui/useAppForm';
import { useWhileHere } from '../../ui/useWhileHere';
import classes from './Deliveries.module.css';
import part from './Part.module.css';

/** Who waits for the rewards of a campaign that has ended, and the way to say that one was sent. */
export function Deliveries({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [marked, setMarked] = useState<RewardDelivery>();
  const { data } = useCampaignDeliveriesQuery({ campaignId: campaign.campaign_id, language });
  if (!data?.ended_on || data.rewards.length === 0) return null;
  return (
    <section aria-labelledby="overview-deliveries">
      <h2 id="overview-deliveries" className={part.sideHead}>
        {t('overview.sent.head')}
      </h2>
      <p className={classes.text}>{t('overview.sent.text')}</p>
      <ul className={part.list}>
        {data.rewards.map((reward) => (
          <li key={reward.reward_id} className={classes.reward}>
            <b>{reward.title}</b>
            <Button
              variant="transparent"
              size="sm"
              aria-label={t('overview.sent.actOf', { title: reward.title })}
              onClick={() => setMarked(reward)}
            >
              {t('overview.sent.act')}
            </Button>
            <span className="tk-small">
              {[
                reward.waiting > 0 && t('overview.sent.waiting', { count: reward.waiting }),
                reward.last_sent_on &&
                  t('overview.sent.sent', {
                    count: reward.sent,
                    day: formatDate(language, reward.last_sent_on),
                  }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <Dialog
        isOpen={marked !== undefined}
        onClose={() => setMarked(undefined)}
        title={t('overview.sent.title')}
      >
        {marked && <MarkForm campaign={campaign} reward={marked} onDone={() => setMarked(undefined)} />}
      </Dialog>
    </section>
  );
}

interface MarkFormProps {
  campaign: Campaign;
  reward: RewardDelivery;
  onDone: () => void;
}

function MarkForm({ campaign, reward, onDone }: MarkFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const leave = useWhileHere(onDone);
  const [mark] = useMarkDeliveredMutation();
  const form = useAppForm({
    initialValues: { day: '', receipt_number: '' },
    rules: { day: required },
    onSubmit: async ({ day, receipt_number: typed }) => {
      const receipt = typed.trim();
      const { error } = await mark({
        campaignId: campaign.campaign_id,
        language,
        deliveryMark: { reward_id: reward.reward_id, day, ...(receipt && { receipt_number: receipt }) },
      });
      if (isApiError(error)) {
        form.showFailure(error, errorText(error, 'Deliveries'), 'day');
        return;
      }
      notify({ tone: 'success', title: t('overview.sent.done'), topic: 'campaign' });
      leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>
        <b>{reward.title}</b>
      </p>
      <DayField label={t('overview.sent.day')} {...form.field('day')} />
      <TextField
        label={t('overview.sent.receipt')}
        help={t('overview.sent.receiptHelp')}
        {...form.field('receipt_number')}
      />
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('overview.sent.keep')}
        </Button>
        <Button type="submit" loading={form.isSubmitting}>
          {form.values.receipt_number.trim()
            ? t('overview.sent.doOne')
            : t('overview.sent.doAll', { count: reward.waiting })}
        </Button>
      </div>
    </form>
  );
}
