import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDeskAnomalyQuery, useDeskMendedMutation, type DeskAnomaly } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ActDialog } from './ActDialog';
import { Facts } from './Facts';
import { Shown } from './Shown';
import { useWords } from './useWords';
import classes from './Thing.module.css';

/** Those whose money stands apart until one of the commands decides; the press that closes others is refused for them. */
const commands: Readonly<Record<string, (anomaly: DeskAnomaly) => string>> = {
  held_money: ({ reference, provider }) =>
    `payments release-held -charge ${reference} -provider ${provider} (-accept|-return) -note "…"`,
  unknown_charge: ({ reference, provider }) =>
    `payments attach -charge ${reference} -provider ${provider} -payment … -note "…"`,
  ledger_difference: ({ reference, provider }) =>
    `payments explain -line ${reference.split(':')[1] ?? reference} -provider ${provider} -note "…"`,
  refund_failed: ({ reference }) => `payments refund -by-hand ${reference} -note "…"`,
};

/** One anomaly: what it is, what to do about it, and the press that says that it was done. */
export function Anomaly({ id }: { id: string }) {
  const query = useDeskAnomalyQuery({ anomalyId: Number(id) });
  return <Shown query={query}>{(anomaly) => <One anomaly={anomaly} />}</Shown>;
}

function One({ anomaly }: { anomaly: DeskAnomaly }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const [mend] = useDeskMendedMutation();
  const [isAsking, setAsking] = useState(false);
  const { kind, closed_at: closedAt, closed_by: closedBy } = anomaly;
  const time = (at: string) => formatDateTime(language, at);
  const command = commands[kind]?.(anomaly);
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <h2 className={classes.title}>{t(`desk.kind.${kind as 'held_money'}.title`)}</h2>
        <p className={classes.lead}>
          {t('desk.anomaly.found', { time: time(anomaly.found_at) })}
          {anomaly.times > 1 && `. ${t('desk.anomaly.times', { count: anomaly.times })}`}
        </p>
        <section className={classes.box}>
          <h3>{t('desk.anomaly.todo')}</h3>
          <p>{t(`desk.kind.${kind as 'held_money'}.todo`)}</p>
          {command && !closedAt && (
            <>
              <p className={classes.small}>{t('desk.anomaly.command')}</p>
              <code className={classes.code}>{command}</code>
            </>
          )}
        </section>
        {closedAt ? (
          <p>
            {closedBy === 'service'
              ? t('desk.anomaly.itself', { time: time(closedAt) })
              : t('desk.anomaly.closedBy', { name: closedBy, time: time(closedAt) })}
            {anomaly.note && <span className={classes.note}>{anomaly.note}</span>}
          </p>
        ) : (
          <p>
            <Button onClick={() => setAsking(true)}>{t('desk.anomaly.mended')}</Button>
          </p>
        )}
      </div>
      <Facts
        title={t('desk.payment.facts')}
        rows={[
          [t('desk.column.provider'), words('provider', anomaly.provider)],
          [t('desk.anomaly.reference'), anomaly.reference],
          [
            t('desk.anomaly.payment'),
            anomaly.payment_id && (
              <Link to={paths.money(language, 'payments', anomaly.payment_id)}>
                {anomaly.payment_id.slice(-8)}
              </Link>
            ),
          ],
          ...Object.entries(anomaly.detail).map(([key, value]): [string, string] => [key, value]),
        ]}
      />
      <ActDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('desk.anomaly.mendedTitle')}
        label={t('desk.anomaly.mended')}
        done={t('desk.anomaly.done')}
        act={(note) => mend({ anomalyId: anomaly.anomaly_id, deskNote: { note } })}
      >
        <p>{t('desk.anomaly.mendedText')}</p>
      </ActDialog>
    </div>
  );
}
