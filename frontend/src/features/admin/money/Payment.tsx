import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDeskPaymentQuery, type DeskPayment } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDate, formatDateTime } from '../../../i18n/format';
import type { Stop } from '../../../i18n/pledgeMoney';
import { Chip } from '../../../ui/Chip';
import { MoneyLine } from '../../../ui/MoneyLine';
import { Contest } from './Contest';
import { Facts } from './Facts';
import { Ledger } from './Ledger';
import { Shown } from './Shown';
import { useSum, useWords } from './useWords';
import { Warned } from './Warned';
import { Where } from './Where';
import classes from './Thing.module.css';

/** One payment: where its money is, its whole history in words, its movements in the ledger, and what is known of it. */
export function Payment({ id }: { id: string }) {
  const query = useDeskPaymentQuery({ paymentId: id });
  return <Shown query={query}>{(payment) => <One payment={payment} />}</Shown>;
}

function One({ payment }: { payment: DeskPayment }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  const { currency, anomalies, attempts } = payment;
  const open = anomalies.filter(({ closed_at: at }) => !at);
  const last = attempts.at(-1);
  const fee = attempts.reduce((all, { fee_minor: minor = 0 }) => all + minor, 0);
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <div className={classes.head}>
          <span className={classes.sum}>{sum(payment.amount_minor, currency)}</span>
          <Where where={payment.where} />
          <Chip>{words('status', payment.status)}</Chip>
        </div>
        <h2 className={classes.title}>{payment.title || payment.payment_id}</h2>
        {open.map(({ anomaly_id: anomaly, kind }) => (
          <p key={anomaly}>
            <Link to={paths.money(language, 'anomalies', anomaly)}>
              {t(`desk.kind.${kind as 'held_money'}.title`)}
            </Link>
          </p>
        ))}
        {payment.where !== 'nothing' && (
          <MoneyLine
            stops={stopsOf(
              payment,
              (stop) => t(`desk.stop.${stop}`),
              (at) => formatDate(language, at),
            )}
          />
        )}
        {payment.warnings.map(({ warning_id: warning }) => (
          <Warned key={warning} warningId={warning} isMonthly={payment.subject_kind === 'subscription'} />
        ))}
        {payment.disputes.map(({ dispute_id: dispute }) => (
          <Contest key={dispute} disputeId={dispute} />
        ))}
        <section className={classes.section} aria-labelledby="history">
          <h3 id="history">{t('desk.payment.history')}</h3>
          <ol className={classes.events}>
            {payment.history.map((event, i) => (
              <li key={`${i} ${event.what}`}>
                <time dateTime={event.at}>{formatDateTime(language, event.at)}</time>
                <div>
                  {words('event', event.what)}
                  {event.amount_minor !== undefined && `, ${sum(event.amount_minor, currency)}`}
                  {event.what.startsWith('anomaly') && event.detail && (
                    <p>{t(`desk.kind.${event.detail as 'held_money'}.title`)}</p>
                  )}
                  {event.what.startsWith('refund') && event.detail && (
                    <p>{words('refund.reason', event.detail)}</p>
                  )}
                  {event.what.startsWith('run') && event.detail && <p>{words('reason', event.detail)}</p>}
                  {event.what.startsWith('warning') && event.detail && <p>{words('fraud', event.detail)}</p>}
                  {event.what.startsWith('dispute') && event.detail && (
                    <p>{words('dispute', event.detail)}</p>
                  )}
                  {event.note && <p>{event.note}</p>}
                </div>
                <span className={classes.by}>{event.actor ?? t('desk.payment.by')}</span>
              </li>
            ))}
          </ol>
        </section>
        <Ledger movements={payment.ledger} />
      </div>
      <Facts
        title={t('desk.payment.facts')}
        rows={[
          [
            t('desk.payment.campaign'),
            payment.campaign_id > 0 && (
              <Link to={paths.campaign(language, { id: payment.campaign_id, title: payment.title })}>
                {payment.title || payment.campaign_id}
              </Link>
            ),
          ],
          [t(`desk.payment.${subjectOf(payment)}`), payment.subject_id],
          [t('desk.payment.period'), payment.period],
          [t('desk.payment.method'), payment.method],
          [t('desk.column.provider'), words('provider', payment.provider)],
          [t('desk.payment.object'), last?.object_ref],
          [t('desk.payment.charge'), attempts.find(({ charge_ref: charge }) => charge)?.charge_ref],
          [t('desk.payment.attempts'), attempts.length],
          [
            t('desk.payment.declines'),
            attempts.reduce((all, { declines }) => all + declines, 0) || undefined,
          ],
          [t('desk.payment.fee'), fee > 0 ? sum(fee, currency) : undefined],
          [
            t('desk.payment.refunded'),
            payment.amount_refunded_minor > 0 ? sum(payment.amount_refunded_minor, currency) : undefined,
          ],
          [
            t('desk.payment.run'),
            payment.run_id && (
              <Link to={paths.money(language, 'runs', payment.run_id)}>{t('desk.payment.open')}</Link>
            ),
          ],
        ]}
      />
    </div>
  );
}

const subjectOf = ({ subject_kind: kind }: DeskPayment) =>
  kind === 'subscription' || kind === 'unclaimed' ? kind : 'pledge';

/** The stops of the money line: what was reached, with its day, and where it is now. */
function stopsOf(
  { stops, where }: DeskPayment,
  name: (stop: DeskPayment['stops'][number]['stop']) => string,
  day: (at: string) => string,
): Stop[] {
  // Where it is now is the last stop that was reached, unless it stays there.
  const reached = where === 'arrived' ? undefined : stops.filter(({ at }) => at).at(-1)?.stop;
  return stops
    .filter(({ stop, at }) => where !== 'returned' || stop === 'returned' || at)
    .map(({ stop, at }) => ({
      name: name(stop),
      state: stop === 'returned' ? 'returned' : stop === reached ? 'now' : at ? 'passed' : 'ahead',
      when: at ? day(at) : '',
      ...(stop === 'held' && where === 'charged' && { isSettling: true }),
    }));
}
