import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DeskRun } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDate, formatDateTime, formatMonth } from '../../../i18n/format';
import type { Stop, StopState } from '../../../i18n/pledgeMoney';
import { BackLink } from '../../../ui/BackLink';
import { Chip } from '../../../ui/Chip';
import { MoneyLine } from '../../../ui/MoneyLine';
import { leftOf } from './runSum';
import { useSum, useWords } from './useWords';
import classes from './RunHead.module.css';

/** Whose money a run is, how much and where to, and how far it has come. */
export function RunHead({ run }: { run: DeskRun }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  const { bank, campaign_id: campaignId, month, title } = run;
  return (
    <header className={classes.root}>
      <BackLink to={paths.money(language, 'runs')}>{t('desk.parts.runs')}</BackLink>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>
            <Link to={paths.campaign(language, { id: campaignId, title })}>{title || `#${campaignId}`}</Link>
          </h2>
          <p className={classes.of}>
            {t('desk.run.numbered', { number: run.number })}
            {month && `, ${formatMonth(language, month)}`},{' '}
            {t('desk.run.through', { count: run.lines, provider: words('provider', run.provider) })}
          </p>
        </div>
        <div className={classes.money}>
          <p className={classes.sum}>{sum(leftOf(run), run.currency)}</p>
          <p className={classes.of}>
            {bank
              ? t('desk.run.toBank', { country: bank.country, lastFour: bank.last_four })
              : t('desk.run.noBank')}
          </p>
          {bank?.pays_from && (
            <p className={classes.of}>
              {t('desk.run.paysFrom', { day: formatDate(language, bank.pays_from) })}
            </p>
          )}
        </div>
      </div>
      {run.tax_missing_by && run.state !== 'void' && run.state !== 'paid' && (
        <p className={classes.of}>
          {t('desk.run.taxMissing', { day: formatDate(language, run.tax_missing_by) })}
        </p>
      )}
      {run.state === 'void' ? (
        <Chip>{words('runState', run.state)}</Chip>
      ) : (
        <MoneyLine stops={stopsOf(run, t, (at) => formatDateTime(language, at))} />
      )}
    </header>
  );
}

const order = ['counting', 'proposed', 'approved', 'booked', 'sending', 'sent', 'paying', 'paid'] as const;

/** What a run passes: counted, approved by each who has to, on the creator's account at the provider, at their bank. */
export function stopsOf(run: DeskRun, t: TFunction, time: (at: string) => string): Stop[] {
  const { state, steps, moves, approved_by: approvers, approvals, needed, reason } = run;
  // A run that only waits says why in its own words; what a provider or bank has refused is a stop.
  const newest = moves.filter(({ kind }) => kind !== 'reversal').at(-1);
  const isRefused = reason !== undefined && ['refused', 'returned'].includes(newest?.state ?? '');
  const at = order.findIndex((one) => one === state);
  /** Passed from the state `done` on; being done from `begun` on. */
  const stateOf = (begun: (typeof order)[number], done: (typeof order)[number]): StopState => {
    if (at >= order.indexOf(done)) return 'passed';
    if (at < order.indexOf(begun)) return 'ahead';
    return isRefused ? 'failed' : 'now';
  };
  const last = (to: string) => {
    const step = [...steps].reverse().find((one) => one.to === to);
    return step ? time(step.at) : '';
  };
  const missing = at >= order.indexOf('approved') ? 0 : Math.max(0, needed - approvals);
  return [
    { name: t('desk.run.stop.counted'), state: stateOf('counting', 'proposed'), when: last('proposed') },
    ...approvers.map(({ actor, at: when }) => ({
      name: t('desk.run.stop.approvedBy', { name: actor }),
      state: 'passed' as const,
      when: time(when),
    })),
    ...Array.from({ length: missing }, (_, i) => ({
      name: t('desk.run.stop.approval', { number: approvals + i + 1, needed }),
      state: i === 0 && state === 'proposed' ? ('now' as const) : ('ahead' as const),
      when: '',
    })),
    { name: t('desk.run.stop.sent'), state: stateOf('approved', 'sent'), when: last('sent') },
    {
      name: t('desk.run.stop.paid'),
      state: stateOf('sent', 'paid'),
      when: run.paid_at ? time(run.paid_at) : '',
    },
  ];
}
