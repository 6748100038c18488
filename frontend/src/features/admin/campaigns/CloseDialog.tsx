import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useChangeCampaignAdminMutation } from '../../../api/editing';
import { readAnew } from '../../../api/readAnew';
import type { CampaignRow } from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { all, maxLength, required } from '../../../domain/rules';
import { campaignStages, isRecurring } from '../../../domain/stages';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextareaField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from '../PersonDialog.module.css';

export interface CloseDialogProps {
  /** Without one the dialog is closed. */
  campaign?: CampaignRow;
  onClose: () => void;
}

/** Asks why a campaign is closed, and says what that means, before it is closed for good. */
export function CloseDialog({ campaign, onClose }: CloseDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={campaign !== undefined}
      onClose={onClose}
      title={campaign ? t('staff.campaigns.closeTitle', { title: campaign.title }) : ''}
    >
      {campaign && <CloseForm key={campaign.campaign_id} campaign={campaign} onDone={onClose} />}
    </Dialog>
  );
}

function CloseForm({ campaign, onDone }: { campaign: CampaignRow; onDone: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [change] = useChangeCampaignAdminMutation();
  const { campaign_id: campaignId, stage, version } = campaign;
  const form = useAppForm({
    initialValues: { reason: '' },
    rules: { reason: all(required, maxLength(1000)) },
    onSubmit: async ({ reason }) => {
      const { error } = await change({
        campaignId,
        'If-Match': `"${version}"`,
        campaignAdminChange: { stage: campaignStages.closed, reason: reason.trim() },
      });
      await dispatch(readAnew([{ type: 'Campaign', id: campaignId }]));
      if (!error) {
        notify({ tone: 'success', title: t('staff.campaigns.isClosed'), topic: 'campaign' });
        leave();
      } else if (isApiError(error)) form.showFailure(error, errorText(error, 'CloseDialog'), 'reason');
    },
  });
  const meaning = isRecurring(stage)
    ? 'closeMonthly'
    : stage === campaignStages.funding
      ? 'closeOpen'
      : 'closeEnded';
  return (
    <form {...form.formProps} className={classes.form}>
      <p>{t(`staff.campaigns.${meaning}`)}</p>
      <TextareaField
        label={t('staff.campaigns.reason')}
        help={t('staff.campaigns.reasonHelp')}
        autosize
        minRows={2}
        {...form.field('reason')}
      />
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('staff.campaigns.keep')}
        </Button>
        <Button type="submit" variant="outline" color="danger" loading={form.isSubmitting}>
          {t('staff.campaigns.closeFinally')}
        </Button>
      </div>
    </form>
  );
}
