import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useDeskApproveMutation,
  useDeskCancelMutation,
  useDeskResumeMutation,
  useDeskRunQuery,
  type DeskRun,
} from '../../../api/desk';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ActDialog } from './ActDialog';
import { Facts } from './Facts';
import { RunHead } from './RunHead';
import { RunLines } from './RunLines';
import { leftOf } from './runSum';
import { Shown } from './Shown';
import { useSum, useWords } from './useWords';
import classes from './Thing.module.css';

/** One run: what it is and why it waits, who has approved it, its sums, lines and history; and what can be done about it. */
export function Run({ id }: { id: string }) {
  const query = useDeskRunQuery({ runId: id }, { pollingInterval: 15_000, skipPollingIfUnfocused: true });
  return <Shown query={query}>{(run) => <One run={run} />}</Shown>;
}

function One({ run }: { run: DeskRun }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  const { currency, steps, moves, approved_by: approvers } = run;
  const money = (minor: number) => sum(minor, currency);
  return (
    <>
      <RunHead run={run} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {run.reason && (
            <p className={classes.box} role="status">
              {t('desk.run.waits', { reason: words('reason', run.reason) })}
              {run.detail && <span className={classes.note}>{run.detail}</span>}
            </p>
          )}
          <Acts run={run} />
          <RunLines runId={run.run_id} currency={currency} />
          {moves.length > 0 && (
            <section className={classes.section} aria-labelledby="moves">
              <h3 id="moves">{t('desk.run.moves')}</h3>
              <ol className={classes.events}>
                {moves.map((move) => (
                  <li key={`${move.kind} ${move.number}`}>
                    <time dateTime={move.at}>{formatDateTime(language, move.at)}</time>
                    <div>
                      {words('run.move', move.kind)}, {money(move.amount_minor)}
                      <p>{move.ref ?? move.code}</p>
                      {move.returned_minor !== undefined && (
                        <p>{t('desk.run.cameBack', { sum: money(move.returned_minor) })}</p>
                      )}
                    </div>
                    <span className={classes.by}>{words('run.moveState', move.state)}</span>
                  </li>
                ))}
              </ol>
            </section>
          )}
          <section className={classes.section} aria-labelledby="steps">
            <h3 id="steps">{t('desk.run.steps')}</h3>
            <ol className={classes.events}>
              {[...steps].reverse().map((step, i) => (
                <li key={`${i} ${step.event}`}>
                  <time dateTime={step.at}>{formatDateTime(language, step.at)}</time>
                  <div>
                    {words('event', `run_${step.event}`)}
                    {step.reason && <p>{words('reason', step.reason)}</p>}
                    {step.note && <p>{step.note}</p>}
                  </div>
                  <span className={classes.by}>{step.actor ?? t('desk.payment.by')}</span>
                </li>
              ))}
            </ol>
          </section>
        </div>
        <div className={classes.side}>
          <section className={classes.facts} aria-labelledby="approvals">
            <h3 id="approvals">{t('desk.run.approvals')}</h3>
            <dl>
              <div>
                <dt>{t('desk.run.proposedBy', { name: run.proposed_by })}</dt>
                <dd>{formatDateTime(language, run.created_at)}</dd>
              </div>
              {approvers.map(({ actor, at, note }) => (
                <div key={actor}>
                  <dt>{actor}</dt>
                  <dd>
                    {formatDateTime(language, at)}
                    <span className={classes.note}>{note}</span>
                  </dd>
                </div>
              ))}
            </dl>
            <p className={classes.small}>
              {t('desk.run.approvedOf', { count: run.approvals, needed: run.needed })}.{' '}
              {t(run.needed > 1 ? 'desk.run.twoAbove' : 'desk.run.one')}
            </p>
          </section>
          <Facts
            title={t('desk.run.sums')}
            rows={[
              [t('desk.run.charges'), money(run.gross_minor)],
              [t('desk.run.fee'), money(-run.fee_minor)],
              [t('desk.run.vat'), money(-run.vat_minor)],
              [t('desk.run.reserve'), money(-run.reserve_minor)],
              [t('desk.run.released'), run.released_minor > 0 ? money(run.released_minor) : undefined],
              [t('desk.run.offset'), run.offset_minor > 0 ? money(-run.offset_minor) : undefined],
              [t('desk.run.bankKept'), run.bank_kept_minor > 0 ? money(-run.bank_kept_minor) : undefined],
              [t('desk.run.reversed'), run.reversed_minor > 0 ? money(-run.reversed_minor) : undefined],
              [t('desk.run.transfer'), <b key="sum">{money(leftOf(run))}</b>],
              [t('desk.run.hash'), run.hash && <code>{run.hash.slice(0, 12)}</code>],
            ]}
          />
        </div>
      </div>
    </>
  );
}

type Asked = 'approve' | 'resume' | 'cancel';

function Acts({ run }: { run: DeskRun }) {
  const { t } = useTranslation();
  const sum = useSum();
  const [approve] = useDeskApproveMutation();
  const [resume] = useDeskResumeMutation();
  const [cancel] = useDeskCancelMutation();
  const [asked, setAsked] = useState<Asked>();
  const { run_id: runId, can_approve: can, state, hash } = run;
  const whole = sum(leftOf(run), run.currency);
  const mayCancel =
    (state === 'counting' || state === 'proposed' || state === 'approved') && run.booked === 0;
  const mayResume = state !== 'proposed' && state !== 'paid' && state !== 'void' && run.reason !== undefined;
  const close = () => setAsked(undefined);
  return (
    <>
      <div className={classes.acts}>
        {can === 'yes' && (
          <Button onClick={() => setAsked('approve')}>{t('desk.run.approve', { sum: whole })}</Button>
        )}
        {mayResume && (
          <Button variant="light" onClick={() => setAsked('resume')}>
            {t('desk.run.resume')}
          </Button>
        )}
        {mayCancel && (
          <Button variant="outline" color="danger" onClick={() => setAsked('cancel')}>
            {t('desk.run.cancel')}
          </Button>
        )}
        {can !== 'yes' && can !== 'not_now' && <p className={classes.small}>{t(`desk.run.cannot.${can}`)}</p>}
      </div>
      <ActDialog
        isOpen={asked === 'approve'}
        onClose={close}
        title={t('desk.run.approveTitle', { sum: whole })}
        label={t('desk.run.approve', { sum: whole })}
        done={t('desk.run.approved')}
        act={(note) => approve({ runId, deskApproval: { hash, note } })}
      >
        <p>{t('desk.run.approveText', { lines: run.lines, hash: hash.slice(0, 12) })}</p>
      </ActDialog>
      <ActDialog
        isOpen={asked === 'resume'}
        onClose={close}
        title={t('desk.run.resumeTitle')}
        label={t('desk.run.resume')}
        done={t('desk.run.resumed')}
        act={(note) => resume({ runId, deskNote: { note } })}
      >
        <p>{t('desk.run.resumeText')}</p>
      </ActDialog>
      <ActDialog
        isOpen={asked === 'cancel'}
        onClose={close}
        title={t('desk.run.cancelTitle')}
        label={t('desk.run.cancel')}
        done={t('desk.run.canceled')}
        isDestructive
        act={(note) => cancel({ runId, deskNote: { note } })}
      >
        <p>{t('desk.run.cancelText')}</p>
      </ActDialog>
    </>
  );
}
