import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { readAnew } from '../../../api/readAnew';
import {
  useHoldCampaignMutation,
  useLiftCampaignHoldMutation,
  usePayOutStoppedCampaignMutation,
  type CampaignRow,
} from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { maxLength } from '../../../domain/rules';
import { campaignStages } from '../../../domain/stages';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextareaField, TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { Segments } from '../../../ui/Segments';
import { useAppForm } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from '../PersonDialog.module.css';
import { holdAct } from './holdAct';

export interface HoldDialogProps {
  /** Without one the dialog is closed. */
  campaign?: CampaignRow;
  onClose: () => void;
}

/** Asks how and why a campaign is stopped, or whether it goes on or its creator is paid, and says what that means. */
export function HoldDialog({ campaign, onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const act = campaign && holdAct(campaign);
  return (
    <Dialog
      isOpen={campaign !== undefined}
      onClose={onClose}
      title={act ? t(`staff.campaigns.hold.${titles[act]}`, { title: campaign.title }) : ''}
    >
      {campaign && act === 'act' && (
        <HoldForm key={campaign.campaign_id} campaign={campaign} onDone={onClose} />
      )}
      {campaign && act && act !== 'act' && (
        <Confirm key={campaign.campaign_id} campaign={campaign} decision={act} onDone={onClose} />
      )}
    </Dialog>
  );
}

/** What is only to be confirmed. */
type Decision = 'lift' | 'pay' | 'payHold';

const titles = { act: 'title', lift: 'liftTitle', pay: 'payTitle', payHold: 'payHoldTitle' } as const;
const texts = { lift: 'liftText', pay: 'payText', payHold: 'payHoldText' } as const;
const done = { lift: 'lifted', pay: 'paid', payHold: 'payHeld' } as const;

const kinds = ['on_hold', 'stopped'] as const;
const reasons = ['looked_into', 'rules', 'creator_asked'] as const;

interface Values {
  kind: (typeof kinds)[number];
  reason: (typeof reasons)[number];
  sentence: string;
  tells_on: string;
}

interface FormProps {
  campaign: CampaignRow;
  onDone: () => void;
}

function HoldForm({ campaign, onDone }: FormProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [hold] = useHoldCampaignMutation();
  const { campaign_id: campaignId, version } = campaign;
  const form = useAppForm<Values>({
    initialValues: { kind: 'on_hold', reason: 'looked_into', sentence: '', tells_on: '' },
    rules: { sentence: maxLength(300) },
    onSubmit: async ({ kind, reason, sentence, tells_on: tellsOn }) => {
      const { error } = await hold({
        campaignId,
        'If-Match': `"${version}"`,
        campaignHoldChange: {
          kind,
          reason,
          ...(sentence.trim() && { sentence: sentence.trim() }),
          ...(kind === 'on_hold' && tellsOn && { tells_on: tellsOn }),
        },
      });
      await dispatch(readAnew([{ type: 'Campaign', id: campaignId }]));
      if (!error) {
        notify({
          tone: 'success',
          title: t(kind === 'stopped' ? 'staff.campaigns.hold.stoppedDone' : 'staff.campaigns.hold.done'),
          topic: 'campaign',
        });
        leave();
      } else if (isApiError(error)) form.showFailure(error, errorText(error, 'HoldDialog'), 'sentence');
    },
  });
  const isStopped = form.values.kind === 'stopped';
  return (
    <form {...form.formProps} className={classes.form}>
      <div>
        <p className={classes.label}>{t('staff.campaigns.hold.kind')}</p>
        <Segments<Values['kind']>
          label={t('staff.campaigns.hold.kind')}
          value={form.values.kind}
          onChange={(kind) => form.setValue('kind', kind)}
          segments={kinds.map((value) => ({ value, label: t(`staff.campaigns.hold.${value}`) }))}
        />
      </div>
      <p>{t(isStopped ? 'staff.campaigns.hold.stoppedText' : 'staff.campaigns.hold.onHoldText')}</p>
      <div>
        <p className={classes.label}>{t('staff.campaigns.hold.reason')}</p>
        <Segments<Values['reason']>
          label={t('staff.campaigns.hold.reason')}
          value={form.values.reason}
          onChange={(reason) => form.setValue('reason', reason)}
          segments={reasons.map((value) => ({ value, label: t(`staff.campaigns.hold.${value}`) }))}
        />
      </div>
      <TextareaField
        label={t('staff.campaigns.hold.sentence')}
        help={t('staff.campaigns.hold.sentenceHelp')}
        autosize
        minRows={2}
        {...form.field('sentence')}
      />
      {!isStopped && (
        <TextField type="date" label={t('staff.campaigns.hold.tellsOn')} {...form.field('tells_on')} />
      )}
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('staff.campaigns.hold.keep')}
        </Button>
        <Button type="submit" variant="outline" color="danger" loading={form.isSubmitting}>
          {t('staff.campaigns.hold.act')}
        </Button>
      </div>
    </form>
  );
}

function Confirm({ campaign, decision, onDone }: FormProps & { decision: Decision }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [lift, { error: liftError }] = useLiftCampaignHoldMutation();
  const [payOut, { error: payError }] = usePayOutStoppedCampaignMutation();
  const error = liftError ?? payError;
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    const change = {
      campaignId: campaign.campaign_id,
      'If-Match': campaign.version ? `"${campaign.version}"` : undefined,
    };
    const answer = await (decision === 'lift'
      ? lift(change)
      : payOut({ ...change, campaignPayoutChange: { payout: decision === 'pay' ? 'goes' : 'waits' } }));
    await dispatch(readAnew([{ type: 'Campaign', id: campaign.campaign_id }]));
    setSending(false);
    if (answer.error) return;
    notify({ tone: 'success', title: t(`staff.campaigns.hold.${done[decision]}`), topic: 'campaign' });
    leave();
  };
  const isClosedOnHold = decision === 'lift' && campaign.stage === campaignStages.closed;
  return (
    <div className={classes.form}>
      <p>{t(`staff.campaigns.hold.${isClosedOnHold ? 'liftClosedText' : texts[decision]}`)}</p>
      <div role="alert">
        {isApiError(error) && <p className={classes.error}>{errorText(error, 'HoldDialog')}</p>}
      </div>
      <div className={classes.acts}>
        <Button variant="transparent" data-autofocus onClick={onDone}>
          {t('staff.campaigns.hold.keep')}
        </Button>
        <Button loading={isSending} onClick={() => void send()}>
          {t(`staff.campaigns.hold.${decision}`)}
        </Button>
      </div>
    </div>
  );
}
