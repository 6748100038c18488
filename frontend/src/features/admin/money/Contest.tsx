import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useDeskContestMutation, useDeskDisputeQuery, type DeskDisputeCase } from '../../../api/desk';
import { all, maxLength, minLength, required } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate, formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { TextareaField, TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { UnsavedGuard } from '../../../ui/UnsavedGuard';
import { useAppForm } from '../../../ui/useAppForm';
import { useOwnAct } from '../../../ui/useOwnAct';
import { Shown } from './Shown';
import { useSum, useWords } from './useWords';
import classes from './Thing.module.css';

/** A dispute of a payment: what its bank asks, and the answer to it, which is sent once each time that it asks. */
export function Contest({ disputeId }: { disputeId: number }) {
  const query = useDeskDisputeQuery({ disputeId });
  return <Shown query={query}>{(one) => <Case one={one} />}</Shown>;
}

function Case({ one }: { one: DeskDisputeCase }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sum = useSum();
  const words = useWords();
  const [isWriting, setWriting] = useState(false);
  const { dispute, can, evidence, asked_again: isAgain, wants, sent_at: sentAt, sent_by: sentBy = '' } = one;
  const until = dispute.respond_by ? formatDate(language, dispute.respond_by) : undefined;
  const heading = `contest-${dispute.dispute_id}`;
  return (
    <section className={classes.box} aria-labelledby={heading}>
      <h3 id={heading}>{t('desk.contest.title', { sum: sum(dispute.amount_minor, dispute.currency) })}</h3>
      {dispute.reason && <p>{words('dispute', dispute.reason)}</p>}
      {can === 'yes' && (
        <p>{t(`desk.contest.${isAgain ? 'more' : 'lead'}${until ? '' : 'Open'}`, { day: until })}</p>
      )}
      {can === 'yes' && wants && <p>{t('desk.contest.wants', { wants })}</p>}
      {can === 'at_provider' && <p>{t('desk.contest.atProvider')}</p>}
      {can === 'decided' && <p>{t('desk.contest.decided')}</p>}
      {can === 'unknown' && <p role="status">{t('desk.contest.unknown')}</p>}
      {can === 'sent' && sentAt && (
        <p>{t('desk.contest.sent', { at: formatDateTime(language, sentAt), name: sentBy })}</p>
      )}
      {can === 'yes' && evidence && !isWriting && (
        <p>
          <Button variant="light" onClick={() => setWriting(true)}>
            {t('desk.contest.write')}
          </Button>
        </p>
      )}
      {evidence && (can === 'unknown' || isWriting) && can !== 'sent' && (
        <Form one={one} evidence={evidence} onClose={() => setWriting(false)} />
      )}
      {evidence && can === 'sent' && (
        <p lang="en" className={classes.sent}>
          {evidence.statement}
        </p>
      )}
    </section>
  );
}

const parts = ['customer_name', 'customer_email', 'shipping_address', 'shipping_date'] as const;

function Form({
  one: { dispute, can },
  evidence,
  onClose,
}: {
  one: DeskDisputeCase;
  evidence: NonNullable<DeskDisputeCase['evidence']>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const own = useOwnAct();
  const [contest] = useDeskContestMutation();
  const isRepeat = can === 'unknown';
  const form = useAppForm({
    initialValues: { ...evidence, note: '' },
    rules: {
      statement: all(required, maxLength(15000)),
      note: all(required, minLength(3), maxLength(500)),
    },
    onSubmit: async ({ note, ...said }) => {
      const answer = await own.act(() =>
        contest({ disputeId: dispute.dispute_id, deskContest: { evidence: said, note: note.trim() } }),
      );
      if (!answer) return;
      if (isApiError(answer.error)) {
        form.showFailure(answer.error, errorText(answer.error, 'ActDialog'), 'note');
        return;
      }
      notify({ tone: 'success', title: t('desk.contest.done'), topic: 'desk', isAboutMoney: true });
      onClose();
    },
  });
  return (
    <form {...form.formProps} className={classes.answer}>
      <UnsavedGuard isOn={form.isChanged} />
      {!isRepeat && (
        <>
          <div className={classes.pairs}>
            {parts.map((part) => (
              <TextField key={part} label={t(`desk.contest.${part}`)} isOptional {...form.field(part)} />
            ))}
          </div>
          <TextareaField
            label={t('desk.contest.product')}
            isOptional
            autosize
            minRows={2}
            lang="en"
            {...form.field('product')}
          />
          <TextareaField
            label={t('desk.contest.policy')}
            isOptional
            autosize
            minRows={2}
            lang="en"
            {...form.field('policy')}
          />
          <TextareaField
            label={t('desk.contest.statement')}
            help={t('desk.contest.statementHelp')}
            autosize
            minRows={6}
            lang="en"
            {...form.field('statement')}
          />
        </>
      )}
      <TextareaField
        label={t('desk.note.label')}
        help={t('desk.note.help')}
        autosize
        minRows={2}
        {...form.field('note')}
      />
      <p>
        <Button type="submit" loading={form.isSubmitting}>
          {t(isRepeat ? 'desk.contest.again' : 'desk.contest.send')}
        </Button>
      </p>
    </form>
  );
}
