import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefundBackerMutation, type ClaimsAnswer, type RefundAnswer } from '../../api/claims';
import { parseCents } from '../../domain/amounts';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { AmountField } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { SelectField, TextareaField, TextField } from '../../ui/fields';
import { OptionRow } from '../../ui/OptionRow';
import classes from '../../ui/claims/Claims.module.css';
import { useTeamActs } from './useTeamActs';

/** Gives a backer their money back without a claim; nothing is chosen beforehand. */
export function RefundForm({ campaigns }: { campaigns: ClaimsAnswer['campaigns'] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const [given, setGiven] = useState<RefundAnswer>();
  return (
    <section className={classes.refund}>
      <h2>{t('claims.refund.title')}</h2>
      <p className={classes.small}>{t('claims.refund.lead')}</p>
      <div role="status">
        {given && (
          <p className={classes.next}>
            {t('claims.refund.done', {
              amount: formatMoney(language, given.amount, { cents: true, currency: given.currency }),
              name: given.backer,
            })}
          </p>
        )}
      </div>
      {isOpen ? (
        <Fields
          campaigns={campaigns}
          onDone={(answer) => {
            setOpen(false);
            setGiven(answer);
          }}
        />
      ) : (
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t('claims.refund.open')}
        </Button>
      )}
    </section>
  );
}

interface FieldsProps {
  campaigns: ClaimsAnswer['campaigns'];
  onDone: (given?: RefundAnswer) => void;
}

function Fields({ campaigns, onDone }: FieldsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const { act, isActing, failure } = useTeamActs('refund');
  const [refund] = useRefundBackerMutation();
  const [campaignId, setCampaignId] = useState(String(campaigns[0]?.campaign_id));
  const [receipt, setReceipt] = useState('');
  const [much, setMuch] = useState<'all' | 'part'>();
  const [sum, setSum] = useState('');
  const [reason, setReason] = useState('');
  const cents = parseCents(sum);
  const isReady = receipt.trim() && reason.trim() && (much === 'all' || (much === 'part' && cents));
  const send = async () => {
    const newRefund = {
      receipt_number: receipt.trim(),
      reason: reason.trim(),
      ...(much === 'part' && cents && { amount: cents / 100 }),
    };
    let given: RefundAnswer | undefined;
    const isDone = await act({ campaignId, ...newRefund }, async (key) => {
      const answer = await refund({ campaignId: Number(campaignId), newRefund: { ...newRefund, key } });
      given = answer.data;
      return answer;
    });
    if (isDone) onDone(given);
  };
  return (
    <div className={classes.form}>
      <SelectField
        label={t('claims.refund.campaign')}
        value={campaignId}
        onChange={({ currentTarget }) => setCampaignId(currentTarget.value)}
        data={campaigns.map(({ campaign_id: value, title: label }) => ({ value: String(value), label }))}
      />
      <TextField
        label={t('claims.refund.receipt')}
        help={t('claims.refund.receiptHelp')}
        maxLength={40}
        value={receipt}
        onChange={({ currentTarget }) => setReceipt(currentTarget.value)}
      />
      <div role="radiogroup" aria-label={t('claims.refund.sum')} className={classes.options}>
        <OptionRow
          name={id}
          value="all"
          isChecked={much === 'all'}
          onChoose={() => setMuch('all')}
          label={t('claims.refund.all')}
        />
        <OptionRow
          name={id}
          value="part"
          isChecked={much === 'part'}
          onChoose={() => setMuch('part')}
          label={t('claims.refund.part')}
        >
          {much === 'part' && (
            <div className={classes.fields}>
              <AmountField
                label={t('claims.refund.sum')}
                value={sum}
                onChange={({ currentTarget }) => setSum(currentTarget.value)}
              />
            </div>
          )}
        </OptionRow>
      </div>
      <TextareaField
        label={t('claims.refund.reason')}
        help={t('claims.refund.reasonHelp')}
        rows={2}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
      <div className={classes.acts}>
        <Button disabled={!isReady} loading={isActing} onClick={() => void send()}>
          {much !== 'part'
            ? t('claims.refund.do')
            : cents
              ? t('claims.refund.doPart', {
                  amount: formatMoney(language, cents / 100, { cents: true, currency: 'EUR' }),
                })
              : t('claims.refund.doPartEmpty')}
        </Button>
        <Button variant="transparent" onClick={() => onDone()}>
          {t('claims.refund.cancel')}
        </Button>
      </div>
    </div>
  );
}
