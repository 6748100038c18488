import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import type { Campaign } from '../../api/content';
import {
  useChangeCampaignAdminMutation,
  useLazyCampaignAdminQuery,
  type CampaignOverview,
} from '../../api/editing';
import { all, maxLength, required } from '../../domain/rules';
import { campaignStages, isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextareaField } from '../../ui/fields';
import { useNotify } from '../../ui/notify';
import { useAppForm } from '../../ui/useAppForm';
import { useWhileHere } from '../../ui/useWhileHere';
import part from './Part.module.css';
import classes from './CancelCampaign.module.css';

const cancelable: readonly number[] = [
  campaignStages.preparing,
  campaignStages.funding,
  campaignStages.recurring,
];

/** Whether the person may cancel the campaign: its creator, while it has not ended and staff do not look into it. */
export function mayCancel(campaign: Campaign, userId: number): boolean {
  return campaign.creator.user_id === userId && !campaign.held && cancelable.includes(campaign.stage);
}

export interface CancelCampaignProps {
  campaign: Campaign;
  overview: CampaignOverview;
}

/** Ends the campaign for good, after it was said what that means; what it has raised goes back. */
export function CancelCampaign({ campaign, overview }: CancelCampaignProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <section aria-labelledby="cancel-campaign">
      <h2 id="cancel-campaign" className={part.sideHead}>
        {t('overview.cancel.head')}
      </h2>
      <p className={classes.text}>
        {t(isRecurring(campaign.stage) ? 'overview.cancel.textMonthly' : 'overview.cancel.text')}
      </p>
      <Button variant="outline" size="sm" color="danger" onClick={() => setAsking(true)}>
        {t('overview.cancel.act')}
      </Button>
      <Dialog isOpen={isAsking} onClose={() => setAsking(false)} title={t('overview.cancel.title')}>
        <CancelForm campaign={campaign} overview={overview} onDone={() => setAsking(false)} />
      </Dialog>
    </section>
  );
}

function CancelForm({ campaign, overview, onDone }: CancelCampaignProps & { onDone: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const leave = useWhileHere(onDone);
  const [fetchAdmin] = useLazyCampaignAdminQuery();
  const [change] = useChangeCampaignAdminMutation();
  const campaignId = campaign.campaign_id;
  const form = useAppForm({
    initialValues: { reason: '' },
    rules: { reason: all(required, maxLength(1000)) },
    onSubmit: async ({ reason }) => {
      const show = (error: unknown) => {
        if (isApiError(error)) form.showFailure(error, errorText(error, 'CancelCampaign'), 'reason');
      };
      const { data, error } = await fetchAdmin({ campaignId });
      if (!data) {
        show(error);
        return;
      }
      const done = await change({
        campaignId,
        'If-Match': `"${data.campaign.version}"`,
        campaignAdminChange: { stage: campaignStages.closed, reason: reason.trim() },
      });
      if (done.error) {
        show(done.error);
        return;
      }
      notify({ tone: 'success', title: t('overview.cancel.done'), topic: 'campaign' });
      leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>
        {isRecurring(campaign.stage)
          ? t('overview.cancel.monthly')
          : overview.number_of_backers > 0
            ? t('overview.cancel.backers', {
                count: overview.number_of_backers,
                amount: formatMoney(language, overview.funding_reached, {
                  cents: false,
                  currency: overview.currency,
                }),
              })
            : t('overview.cancel.nobody')}
      </p>
      {overview.number_of_backers > 0 && <p>{t('overview.cancel.tell')}</p>}
      <TextareaField
        label={t('overview.cancel.reason')}
        help={t('overview.cancel.reasonHelp')}
        autosize
        minRows={2}
        {...form.field('reason')}
      />
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('overview.cancel.keep')}
        </Button>
        <Button type="submit" variant="outline" color="danger" loading={form.isSubmitting}>
          {t('overview.cancel.finally')}
        </Button>
      </div>
    </form>
  );
}
