import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subscription as SubscriptionRecord } from '../../../api/subscriptions';
import type { Subscription, SubscriptionCharge } from '../../../api/subscriptionPayments';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ChevronDownIcon } from '../../../ui/icons';
import classes from './Charges.module.css';
import { MonthReceipt } from './MonthReceipt';
import part from './SubscriptionPage.module.css';

const shownFirst = 5;

export interface ChargesProps {
  subscription: Subscription;
  record: SubscriptionRecord;
}

/** Every charge with its receipt, the latest first, and the months that were left out. */
export function Charges({ subscription, record }: ChargesProps) {
  const { t } = useTranslation();
  const [isAll, setAll] = useState(false);
  // One receipt at a time, so that printing prints that one.
  const [open, setOpen] = useState<number>();
  const { charges } = subscription;
  const shown = isAll ? charges : charges.slice(0, shownFirst);
  const older = charges.length - shown.length;
  return (
    <section aria-labelledby="charges" className={classes.root}>
      <h2 id="charges" className={part.screen}>
        {t('subscription.charges.title')}
      </h2>
      {charges.length === 0 && <p className={part.help}>{t('subscription.charges.none')}</p>}
      <ul className={classes.list}>
        {shown.map((charge) => (
          <Charge
            key={charge.period}
            charge={charge}
            record={record}
            isOpen={open === charge.period}
            onToggle={() => setOpen(open === charge.period ? undefined : charge.period)}
          />
        ))}
      </ul>
      {older > 0 && (
        <Button
          variant="transparent"
          size="sm"
          className={`${classes.older} ${part.screen}`}
          leftSection={<ChevronDownIcon size={16} />}
          onClick={() => setAll(true)}
        >
          {t('subscription.charges.older', { count: older })}
        </Button>
      )}
    </section>
  );
}

interface ChargeProps {
  charge: SubscriptionCharge;
  record: SubscriptionRecord;
  isOpen: boolean;
  onToggle: () => void;
}

function Charge({ charge, record, isOpen, onToggle }: ChargeProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { period, day, status, amount_minor: minor } = charge;
  const receipt = record.charges.find((one) => one.period === period);
  const isCharged = status !== 'skipped' && status !== 'failed';
  return (
    <li className={classes.charge}>
      <div className={`${classes.line} ${part.screen}`}>
        <span>{formatDate(language, day)}</span>
        <span className={classes.what}>
          <What charge={charge} currency={record.currency} />
        </span>
        <span className={classes.amount}>
          {isCharged && formatMoney(language, minor / 100, { cents: true, currency: record.currency })}
        </span>
        <span className={classes.act}>
          {receipt ? (
            <Button variant="transparent" size="sm" aria-expanded={isOpen} onClick={onToggle}>
              {isOpen
                ? t('subscription.charges.hide')
                : `${t('subscription.charges.receipt')} ${receipt.receipt_number}`}
            </Button>
          ) : (
            isCharged && status !== 'processing' && t('subscription.charges.comes')
          )}
        </span>
      </div>
      {isOpen && receipt && (
        <div className={classes.receipt} data-print-alone>
          <MonthReceipt record={record} charge={receipt} isPlain />
        </div>
      )}
    </li>
  );
}

/** How it was charged, or why not. */
function What({ charge, currency }: { charge: SubscriptionCharge; currency: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { status, method, tries = 1, amount_refunded_minor: returned } = charge;
  if (status === 'skipped' || status === 'failed' || status === 'processing')
    return t(`subscription.charges.${status}`);
  return [
    method,
    tries > 1 && t('subscription.charges.nthTry', { count: tries }),
    status === 'refunded' && t('subscription.charges.refunded'),
    status === 'partly_refunded' &&
      t('subscription.charges.partly_refunded', {
        amount: formatMoney(language, returned / 100, { cents: true, currency }),
      }),
    status === 'disputed' && t('subscription.charges.disputed'),
  ]
    .filter(Boolean)
    .join(', ');
}
