import { useTranslation } from 'react-i18next';
import type { Payout } from '../../../api/payees';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney, formatPercent } from '../../../i18n/format';
import classes from './PayoutList.module.css';
import { wholeShares } from './payoutStops';

/** What became of the money that a campaign was paid: the parts as a bar, and each with its reason. */
export function PayoutStatement({ payout, title }: { payout: Payout; title?: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, vat_minor: vat, reserve_minor: reserve, set_off_minor: setOff, net_minor: net } = payout;
  const { collected_minor: collected, released_minor: released, bank_kept_minor: bankKept, kept } = payout;
  const reversed = payout.reversed_minor;
  const sum = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  /** What has become of a part that was kept back, or will. */
  const fateOf = ({
    due_on: due,
    kept_minor: whole,
    used_minor: used,
    released_minor: freed,
  }: Payout['kept'][number]) => {
    const rest = whole - used - freed;
    return [
      used > 0 && t('payouts.payout.kept.used', { sum: sum(used) }),
      freed > 0 && t('payouts.payout.kept.released', { sum: sum(freed) }),
      rest > 0 && t('payouts.payout.kept.waits', { sum: sum(rest), day: formatDate(language, due) }),
    ].filter((one) => one !== false);
  };
  const all = [
    { name: 'net', minor: net },
    { name: 'reserve', minor: reserve },
    { name: 'fee', minor: payout.fee_minor },
    { name: 'setOff', minor: setOff },
    { name: 'bankKept', minor: bankKept },
  ] as const;
  const shares = wholeShares(all.map(({ minor }) => minor));
  const shown = all.map((part, i) => ({ ...part, share: shares[i] ?? 0 })).filter(({ share }) => share > 0);
  return (
    <div className={classes.statement}>
      {title && <h4 className={classes.how}>{title}</h4>}
      <div className={classes.bar} aria-hidden="true">
        {shown.map(({ name, minor }) => (
          <span key={name} data-part={name} style={{ flexGrow: minor }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label={t('payouts.payout.split')}>
        {shown.map(({ name, share }) => (
          <li key={name}>
            <span className={classes.swatch} data-part={name} />
            {t(`payouts.payout.part.${name}`)} <b>{formatPercent(language, share)}</b>
          </li>
        ))}
      </ul>
      <dl className={classes.rows}>
        {collected > 0 && (
          <>
            <Row label={t('payouts.payout.row.collected')} value={sum(collected)} />
            <Row label={t('payouts.payout.row.fee')} value={sum(vat - payout.fee_minor)} />
            <Row label={t('payouts.payout.row.vat')} value={sum(-vat)} />
          </>
        )}
        {reserve > 0 && (
          <Row
            label={t('payouts.payout.row.reserve')}
            why={[t('payouts.payout.row.reserveWhy'), ...kept.flatMap(fateOf)].join(' ')}
            value={sum(-reserve)}
          />
        )}
        {released > 0 && (
          <Row
            label={t('payouts.payout.row.released')}
            why={t('payouts.payout.row.releasedWhy')}
            value={sum(released)}
          />
        )}
        {setOff > 0 && (
          <Row
            label={t('payouts.payout.row.setOff')}
            why={t('payouts.payout.row.setOffWhy')}
            value={sum(-setOff)}
          />
        )}
        {bankKept > 0 && (
          <Row
            label={t('payouts.payout.row.bankKept')}
            why={t('payouts.payout.row.bankKeptWhy')}
            value={sum(-bankKept)}
          />
        )}
        {reversed > 0 && (
          <Row
            label={t('payouts.payout.row.reversed')}
            why={t('payouts.payout.row.reversedWhy')}
            value={sum(-reversed)}
          />
        )}
        <Row label={t('payouts.payout.row.net')} value={sum(net)} isTotal />
      </dl>
    </div>
  );
}

interface RowProps {
  label: string;
  why?: string;
  value: string;
  isTotal?: boolean;
}

function Row({ label, why, value, isTotal = false }: RowProps) {
  return (
    <div className={classes.row} data-total={isTotal || undefined}>
      <dt>
        {label}
        {why && <span className={classes.why}>{why}</span>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
